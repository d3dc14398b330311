// Dangerous calls of agents in whole tasks: nothing before the answer, once after it, as edited, or back to the model.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { objectFile } from '../../../activities/store/store-layout.ts';
import type { TaskHandle } from '../../../client/index.ts';
import type { GateApproval } from '../../../domain/model/decision.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels, type ScriptedModels } from '../../support/scripted-models.ts';

const rig = useRig();

const subtasks = [{ id: 'tidy', description: 'Tidy up', deliverables: ['NOTES.md'] }];
const notes: [string, unknown] = ['write_file', { path: 'NOTES.md', content: 'done\n' }];

interface Stage extends ScriptedModels {
  workspace: string;
  task: TaskHandle;
  decision: GateApproval;
}

/** A task whose agent makes this call first, and stands before its gate. */
async function stage(call: [string, unknown], prepare: (workspace: string) => void): Promise<Stage> {
  const workspace = rig.workspace();
  prepare(workspace);
  const service = await serveScript([calls(['list_folder', {}], call), calls(notes), finishes('tidy', ['NOTES.md'])]);
  writeModels(workspace, service.url);
  const task = await rig.start({ goal: 'Tidy', workspace, executor: 'agent', subtasks });
  return { ...service, workspace, task, decision: await gateOf(task) };
}

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

/** What each call changes, as it can be seen. */
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

describe.each(rows)('$name', ({ call, prepare, see, after, danger }) => {
  test('does not run before the approval, and once after it', async () => {
    const { workspace, task, decision, requests } = await stage(call, prepare);
    const before = see(workspace);
    expect(before).not.toBe(after);
    expect(decision).toMatchObject({
      id: 'tidy-1',
      action: { tool: call[0], arguments: call[1], danger, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      recommendation: 'reject',
      signature: null,
    });
    const isAsked = expect.objectContaining({ taskId: task.id, id: 'tidy-1', kind: 'approval' }) as unknown;
    await expect.poll(async () => (await rig.client.inbox()).items).toContainEqual(isAsked);
    expect(see(workspace)).toBe(before);
    await task.decide({ decisionId: 'tidy-1', option: 'approve', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
    expect(see(workspace)).toBe(after);
    expect(requests).toHaveLength(3);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0 }]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'attempt.suspended')).toMatchObject([{ why: 'approval', attempt: 1 }]);
    expect(eventsOf(items, 'decision.opened')).toHaveLength(1);
  });

  test('goes back to the model when it is rejected', async () => {
    const { workspace, task, requests } = await stage(call, prepare);
    const before = see(workspace);
    await task.decide({ decisionId: 'tidy-1', option: 'reject', instruction: 'that is still needed', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
    expect(see(workspace)).toBe(before);
    expect(requests[1]?.text).toContain('A person rejected this call: that is still needed');
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed' }]);
  });
});

test('runs as a person edited it, and the model is told', async () => {
  const [first] = rows;
  if (first === undefined) throw new Error('no row');
  const { workspace, task, requests } = await stage(first.call, first.prepare);
  mkdirSync(join(workspace, 'build', 'tmp'));
  await task.decide({ decisionId: 'tidy-1', option: 'edit', value: { command: 'rm -fr build/tmp' }, by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect([existsSync(join(workspace, 'build')), existsSync(join(workspace, 'build', 'tmp'))]).toEqual([true, false]);
  expect(requests[1]?.text).toContain('A person changed the arguments of this call to');
  expect(requests[1]?.text).toContain('rm -fr build/tmp');
});

test('several in one reply are asked in their order, and each runs once', async () => {
  const workspace = rig.workspace();
  const { url, requests } = await serveScript([
    calls(
      ['write_file', { path: '.env', content: 'A=1\n' }],
      ['read_file', { path: '.env' }],
      ['write_file', { path: 'deploy.key', content: 'k\n' }],
    ),
    calls(notes),
    finishes('done', ['NOTES.md']),
  ]);
  writeModels(workspace, url);
  const task = await rig.start({ goal: 'Tidy', workspace, executor: 'agent', subtasks });
  await gateOf(task, 'tidy-1');
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
  const start = async (project: string, config: string, ...made: [string, unknown][]) => {
    const workspace = rig.workspace();
    const turns = made.map((call) => calls(call));
    const service = await serveScript([...turns, calls(notes), finishes('done', ['NOTES.md'])]);
    writeModels(workspace, service.url);
    appendFileSync(join(workspace, 'heddle.toml'), config);
    const task = await rig.start({ goal: 'Tidy', project, workspace, executor: 'agent', subtasks });
    return { ...service, workspace, task };
  };
  const touch = (name: string): [string, unknown] => ['shell', { command: `touch ${name}` }];

  test('what is allowed for good is asked once in a project, until that is forgotten', async () => {
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
      .toEqual([{ signature: 'gate:program:touch', option: 'approve', by: 'ana' }]);

    const second = await start(project, open, touch('c.txt'));
    expect(await endOf(second.task)).toBe('completed');
    expect(existsSync(join(second.workspace, 'c.txt'))).toBe(true);
    expect(eventsOf((await second.task.allEvents()).items, 'decision.opened')).toEqual([]);
    const [record] = await second.task.attempts();
    const transcript = readFileSync(objectFile(rig.storeFolder, record?.transcriptRef ?? ''), 'utf8');
    expect(transcript).toContain('Allowed by a standing rule: gate:program:touch');

    await memory.forget('gate:program:touch');
    const third = await start(project, open, touch('d.txt'));
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

describe('a program of the plan', () => {
  const plan = (workspace: string, run: string[]) => ({
    ...{ goal: 'Clean', workspace },
    subtasks: [
      { id: 'clean', description: 'Clean up', executor: { kind: 'command' as const, run }, verify: ['test -e ok'] },
      {
        id: 'after',
        description: 'Say so',
        executor: { kind: 'command' as const, run: ['echo', 'ok'] },
        dependsOn: ['clean'],
      },
    ],
  });

  test('is asked about before its first start, and its approval holds for every attempt', async () => {
    const workspace = rig.workspace();
    mkdirSync(join(workspace, 'build'));
    const script = 'echo "$HEDDLE_ATTEMPT" >> log; rm -rf build; [ "$HEDDLE_ATTEMPT" = 1 ] || touch ok; echo done';
    const task = await rig.start(plan(workspace, ['sh', '-c', script]));
    const decision = await gateOf(task);
    expect(decision).toMatchObject({
      call: null,
      action: { tool: 'command', arguments: ['sh', '-c', script], danger: 'delete' },
    });
    expect(decision.options.map(({ id }) => id)).toEqual(['approve', 'edit', 'skip', 'skip-branch', 'abort']);
    expect([existsSync(join(workspace, 'build')), existsSync(join(workspace, 'log'))]).toEqual([true, false]);
    await task.decide({ decisionId: 'clean-1', option: 'approve', by: 'ana' });
    expect(await endOf(task)).toBe('completed');
    expect(readFileSync(join(workspace, 'log'), 'utf8')).toBe('1\n2\n');
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'decision.opened')).toHaveLength(1);
    expect(await task.attempts()).toMatchObject([
      { subtask: 'clean', attempt: 1, outcome: 'failed' },
      { subtask: 'clean', attempt: 2, outcome: 'passed' },
      { subtask: 'after' },
    ]);
  });

  test('runs the arguments that a person gave instead', async () => {
    const workspace = rig.workspace();
    mkdirSync(join(workspace, 'build'));
    const task = await rig.start(plan(workspace, ['rm', '-fr', 'build']));
    await gateOf(task);
    await task.decide({ decisionId: 'clean-1', option: 'edit', value: ['touch', 'ok'] });
    expect(await endOf(task)).toBe('completed');
    expect(existsSync(join(workspace, 'build'))).toBe(true);
  });

  test('that a rule denies is a matter for a person', async () => {
    const workspace = rig.workspace();
    writeFileSync(join(workspace, 'heddle.toml'), '[gates]\ndeny = ["shell:make deploy"]\n');
    const task = await rig.start(plan(workspace, ['make', 'deploy']));
    const { decision } = await eventOf(task, decisionOpened());
    expect(decision).toMatchObject({ kind: 'escalation', subtask: 'clean' });
    expect(await task.attempts()).toMatchObject([{ subtask: 'clean', attempt: 1, outcome: 'failed', type: 'safety' }]);
  });
});
