// Dangerous calls of agents in whole tasks: nothing before the answer, once after it, as edited, or back to the model.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { objectFile } from '../../../activities/store/store-layout.ts';
import type { TaskHandle } from '../../../client/index.ts';
import type { GateApproval } from '../../../domain/types/decision.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig();

const subtasks = [{ id: 'tidy', description: 'Tidy up', deliverables: ['NOTES.md'] }];
const notes: [string, unknown] = ['write_file', { path: 'NOTES.md', content: 'done\n' }];

async function gateOf(task: TaskHandle, id?: string): Promise<GateApproval> {
  const { decision } = await eventOf(task, decisionOpened(id));
  if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(JSON.stringify(decision));
  return decision;
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });

function makeRepository(workspace: string): void {
  git(workspace, 'init', '-q', '-b', 'main');
  git(workspace, 'init', '-q', '--bare', 'remote.git');
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(workspace, 'remote', 'add', 'origin', './remote.git');
}

const pushed = (workspace: string): string => git(workspace, '--git-dir', 'remote.git', 'for-each-ref');
const envOf = (workspace: string): string =>
  existsSync(join(workspace, '.env')) ? readFileSync(join(workspace, '.env'), 'utf8') : 'none';

/** The file that each call changes, as it can be seen. */
const rows: {
  name: string;
  call: [string, unknown];
  prepare: (workspace: string) => void;
  see: (workspace: string) => string;
  after: string;
  danger: string;
}[] = [
  {
    name: 'rm -fr',
    call: ['shell', { command: 'echo once >> log.txt; rm -fr build' }],
    prepare: (workspace) => {
      mkdirSync(join(workspace, 'build'));
      writeFileSync(join(workspace, 'build', 'x'), 'x');
      writeFileSync(join(workspace, 'log.txt'), '');
    },
    see: (workspace) =>
      `${existsSync(join(workspace, 'build')) ? 'build' : 'gone'} ${readFileSync(join(workspace, 'log.txt'), 'utf8').trim()}`,
    after: 'gone once',
    danger: 'delete',
  },
  {
    name: 'git push -f',
    call: ['git', { args: ['push', '-f', 'origin', 'HEAD:main'] }],
    prepare: makeRepository,
    see: (workspace) => (pushed(workspace) === '' ? 'nothing' : 'pushed'),
    after: 'pushed',
    danger: 'history',
  },
  {
    name: 'a write to .env',
    call: ['write_file', { path: '.env', content: 'A=1\n' }],
    prepare: () => undefined,
    see: envOf,
    after: 'A=1\n',
    danger: 'secret',
  },
];

test('a dangerous call goes back to the model when it is rejected, does not run before the approval, and once after it; as a person edited it', async () => {
  const workspace = rig.workspace();
  for (const { prepare } of rows) prepare(workspace);
  const [clean] = rows;
  if (clean === undefined) throw new Error('no row');
  // Each is tried twice: the first time it is rejected.
  const tries = [...rows.flatMap((row) => [row, row]), clean];
  const { url, requests } = await serveScript([
    ...tries.map(({ call }) => calls(['list_folder', {}], call)),
    calls(notes),
    finishes('tidy', ['NOTES.md']),
  ]);
  writeModels(workspace, url);
  const task = await rig.start({ goal: 'Tidy', workspace, executor: 'agent', subtasks });
  for (const [index, { name, call, see, after, danger }] of rows.entries()) {
    const [first, second] = [2 * index + 1, 2 * index + 2];
    const before = see(workspace);
    expect(before, name).not.toBe(after);
    const decision = await gateOf(task, `tidy-${first}`);
    expect(decision).toMatchObject({
      action: { tool: call[0], arguments: call[1], danger, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      recommendation: 'reject',
      signature: null,
    });
    if (first === 1) {
      const isAsked = expect.objectContaining({ taskId: task.id, id: 'tidy-1', kind: 'approval' }) as unknown;
      await expect.poll(async () => (await rig.client.inbox()).items).toContainEqual(isAsked);
    }
    const instruction = `that is still needed: ${name}`;
    await task.decide({ decisionId: `tidy-${first}`, option: 'reject', instruction, by: 'ana' });
    await gateOf(task, `tidy-${second}`);
    expect(requests, name).toHaveLength(second);
    expect(requests[first]?.text).toContain(`A person rejected this call: ${instruction}`);
    expect(see(workspace), name).toBe(before);
    await task.decide({ decisionId: `tidy-${second}`, option: 'approve', by: 'ana' });
    // The next gate is asked about when this call has run.
    await gateOf(task, `tidy-${second + 1}`);
    expect(see(workspace), name).toBe(after);
  }
  mkdirSync(join(workspace, 'build', 'tmp'), { recursive: true });
  await task.decide({ decisionId: 'tidy-7', option: 'edit', value: { command: 'rm -fr build/tmp' }, by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect([existsSync(join(workspace, 'build')), existsSync(join(workspace, 'build', 'tmp'))]).toEqual([true, false]);
  expect(requests[7]?.text).toContain('A person changed the arguments of this call to');
  expect(requests[7]?.text).toContain('rm -fr build/tmp');
  expect(requests).toHaveLength(tries.length + 2);
  // Nothing ran once more later.
  expect(rows.slice(1).map(({ see }) => see(workspace))).toEqual(rows.slice(1).map(({ after }) => after));
  expect(readFileSync(join(workspace, 'log.txt'), 'utf8')).toBe('once\n');
  expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0 }]);
  const { items } = await task.allEvents();
  expect(eventsOf(items, 'attempt.suspended')).toMatchObject(tries.map(() => ({ why: 'approval', attempt: 1 })));
  expect(eventsOf(items, 'decision.opened')).toHaveLength(tries.length);
});

test('several in one reply are asked in their order, and each runs once', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([
    {
      text: 'The settings need a file of their own.',
      ...calls(
        ['write_file', { path: '.env', content: 'A=1\n' }],
        ['read_file', { path: '.env' }],
        ['write_file', { path: 'deploy.key', content: 'k\n' }],
      ),
    },
    calls(notes),
    finishes('done', ['NOTES.md']),
  ]);
  writeModels(workspace, url);
  const task = await rig.start({ goal: 'Tidy', workspace, executor: 'agent', subtasks });
  const first = await gateOf(task, 'tidy-1');
  expect(first.action.said).toBe('The settings need a file of their own.');
  await task.decide({ decisionId: 'tidy-1', option: 'approve' });
  const second = await gateOf(task, 'tidy-2');
  expect(second.action.arguments).toEqual({ path: 'deploy.key', content: 'k\n' });
  expect([envOf(workspace), existsSync(join(workspace, 'deploy.key'))]).toEqual(['A=1\n', false]);
  await task.decide({ decisionId: 'tidy-2', option: 'reject' });
  expect(await endOf(task)).toBe('completed');
  expect(requests).toHaveLength(3);
  expect(existsSync(join(workspace, 'deploy.key'))).toBe(false);
});

describe('rules', () => {
  const startIn = async (workspace: string, project: string, config: string, ...made: [string, unknown][]) => {
    const turns = made.map((call) => calls(call));
    const service = await serveScript([...turns, calls(notes), finishes('done', ['NOTES.md'])]);
    writeModels(workspace, service.url);
    appendFileSync(join(workspace, 'heddle.toml'), config);
    const task = await rig.start({ goal: 'Tidy', project, workspace, executor: 'agent', subtasks });
    return { ...service, workspace, task };
  };
  const start = (project: string, config: string, ...made: [string, unknown][]) =>
    startIn(rig.workspace(), project, config, ...made);
  const touch = (name: string): [string, unknown] => ['shell', { command: `touch ${name}` }];

  test('what is allowed for good is asked once in a folder of a project, until that is forgotten', async () => {
    const project = `rules-${process.pid}`;
    const open = '[sandbox]\nmode = "off"\n';
    const first = await start(project, open, touch('a.txt'), touch('b.txt'));
    const { signature, recommendation } = await gateOf(first.task);
    expect([signature, recommendation]).toEqual(['gate:program:touch', 'approve']);
    await first.task.decide({ decisionId: 'tidy-1', option: 'approve', scope: 'signature', by: 'ana' });
    expect(await endOf(first.task)).toBe('completed');
    expect(eventsOf((await first.task.allEvents()).items, 'decision.opened')).toHaveLength(1);
    const memory = rig.client.project(project);
    await expect
      .poll(async () => (await memory.memory()).answers)
      .toEqual([{ signature: `gate:program:touch @ ${first.workspace}`, option: 'approve', by: 'ana' }]);

    const second = await startIn(first.workspace, project, open, touch('c.txt'));
    expect(await endOf(second.task)).toBe('completed');
    expect(existsSync(join(second.workspace, 'c.txt'))).toBe(true);
    expect(eventsOf((await second.task.allEvents()).items, 'decision.opened')).toEqual([]);
    const [record] = await second.task.attempts();
    const transcript = readFileSync(objectFile(rig.storeFolder, record?.transcriptRef ?? ''), 'utf8');
    expect(transcript).toContain('Allowed by a standing rule: gate:program:touch');

    // Another folder that names the same project.
    const other = await start(project, open, touch('d.txt'));
    await gateOf(other.task);
    expect(existsSync(join(other.workspace, 'd.txt'))).toBe(false);

    await memory.forget(`gate:program:touch @ ${first.workspace}`);
    const third = await startIn(first.workspace, project, open, touch('d.txt'));
    await gateOf(third.task);
    expect(existsSync(join(third.workspace, 'd.txt'))).toBe(false);
  });

  test('what a rule denies is refused to the model, and nobody is asked', async () => {
    const denied = '[gates]\ndeny = ["shell:touch", "write:src/**"]\n';
    const src: [string, unknown] = ['write_file', { path: 'src/a.txt', content: 'x' }];
    const { task, workspace, requests } = await start('denied', denied, touch('a.txt'), src);
    expect(await endOf(task)).toBe('completed');
    expect([existsSync(join(workspace, 'a.txt')), existsSync(join(workspace, 'src'))]).toEqual([false, false]);
    expect(requests[1]?.text).toContain('Refused: ');
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'tool.refused').map(({ tool }) => tool)).toEqual(['shell', 'write_file']);
    expect(eventsOf(items, 'decision.opened')).toEqual([]);
  });
});

test('a program of the plan is asked about before its first start, and its approval holds for every attempt; it runs the arguments that a person gave instead; one that a rule denies is a matter for a person', async () => {
  const workspace = rig.workspace();
  for (const name of ['build', 'kept']) mkdirSync(join(workspace, name));
  writeFileSync(join(workspace, 'heddle.toml'), '[gates]\ndeny = ["shell:make deploy"]\n');
  const script = 'echo "$HEDDLE_ATTEMPT" >> log; rm -rf build; [ "$HEDDLE_ATTEMPT" = 1 ] || touch ok; echo done';
  const program = (...run: string[]) => ({ kind: 'command' as const, run });
  const task = await rig.start({
    goal: 'Clean',
    workspace,
    subtasks: [
      { id: 'clean', executor: program('sh', '-c', script), verify: ['test -e ok'] },
      { id: 'edited', executor: program('rm', '-fr', 'kept'), verify: ['test -e touched'] },
      { id: 'denied', executor: program('make', 'deploy') },
      { id: 'after', executor: program('echo', 'ok'), dependsOn: ['clean', 'edited'] },
    ],
  });
  const decision = await gateOf(task, 'clean-1');
  expect(decision).toMatchObject({
    call: null,
    action: { tool: 'command', arguments: ['sh', '-c', script], danger: 'delete' },
  });
  expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'skip', 'skip-branch', 'abort']);
  await gateOf(task, 'edited-1');
  expect((await eventOf(task, decisionOpened('denied-1'))).decision).toMatchObject({
    kind: 'escalation',
    subtask: 'denied',
  });
  expect(['build', 'kept', 'log'].map((name) => existsSync(join(workspace, name)))).toEqual([true, true, false]);
  await task.decide({ decisionId: 'edited-1', option: 'edit', value: ['touch', 'touched'] });
  await task.decide({ decisionId: 'denied-1', option: 'skip' });
  await task.decide({ decisionId: 'clean-1', option: 'approve', by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect(readFileSync(join(workspace, 'log'), 'utf8')).toBe('1\n2\n');
  expect(existsSync(join(workspace, 'kept'))).toBe(true);
  const { items } = await task.allEvents();
  expect(eventsOf(items, 'decision.opened')).toHaveLength(3);
  const attempts = await task.attempts();
  const attemptsOf = (id: string) => attempts.filter(({ subtask }) => subtask === id);
  expect(attemptsOf('clean')).toMatchObject([
    { attempt: 1, outcome: 'failed' },
    { attempt: 2, outcome: 'passed' },
  ]);
  expect(attemptsOf('denied')).toMatchObject([{ attempt: 1, outcome: 'failed', type: 'safety' }]);
  expect(attemptsOf('after')).toHaveLength(1);
});
