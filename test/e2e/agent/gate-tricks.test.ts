// The places to which a call leads: writes outside of the workspace, and links that lead elsewhere after the approval.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import type { TaskHandle } from '../../../client/index.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, eventOf, useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig();

type Call = [tool: string, input: unknown];

const shell = (command: string): Call => ['shell', { command }];
const git = (...args: string[]): Call => ['git', { args }];

/** Says no to every question until the task has ended. */
async function rejectAll(task: TaskHandle): Promise<string> {
  for (let round = 0; round < 1_200; round += 1) {
    const { decisions, state, endedAt } = await task.status();
    if (endedAt !== null) return state;
    for (const { id } of decisions) await task.decide({ decisionId: id, option: 'reject' });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it does not end');
}

type Mode = 'auto' | 'off';

/** Without bubblewrap there is nothing to see, where a sandbox is not required. */
async function isThere(mode: Mode): Promise<boolean> {
  if (mode === 'off' || (await findSandbox()).kind === 'bubblewrap') return true;
  expect(process.env['HEDDLE_REQUIRE_SANDBOX']).toBeUndefined();
  return false;
}

async function startWith(mode: Mode, workspace: string, made: readonly Call[]) {
  const { url, requests } = await serveScript([...made.map((one) => calls(one)), finishes('done')]);
  writeModels(workspace, url);
  appendFileSync(join(workspace, 'heddle.toml'), `[sandbox]\nmode = "${mode}"\n`);
  const task = await rig.start({
    goal: 'Tidy',
    workspace,
    executor: { kind: 'agent', iterations: 60 },
    subtasks: [{ id: 'tidy', description: 'Tidy up' }],
  });
  return { task, requests };
}

describe.each(['auto', 'off'] as const)('with mode = "%s"', (mode) => {
  test('a write outside the workspace is refused where it could not last, and else asked about', async () => {
    if (!(await isThere(mode))) return;
    const outer = mkdtempSync(join(tmpdir(), 'heddle-outer-'));
    onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
    const workspace = join(outer, 'workspace');
    execFileSync('git', ['init', '-q', workspace]);
    const name = `escaped-${process.pid}`;
    const writes = [
      shell(`echo x > ../${name}`),
      shell(`cp heddle.toml ~/${name}`),
      shell(`sed --i s/a/b/ /srv/${name}`),
      git('clone', '.', `../${name}`),
      git('config', '--global', `user.${name}`, 'x'),
    ];
    const code = shell("node -e 'console.log(1)'");
    const { task, requests } = await startWith(mode, workspace, [...writes, code]);
    expect(await rejectAll(task)).toBe('completed');
    expect(requests).toHaveLength(writes.length + 2);
    expect(await questionsOf(task)).toEqual(mode === 'auto' ? [code] : [...writes, code]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'tool.refused').map(({ tool }) => tool)).toEqual(
      mode === 'auto' ? writes.map(([tool]) => tool) : [],
    );
    expect(existsSync(join(outer, name))).toBe(false);
    // Nobody can read from the outside what code does, so it is not advised.
    expect(eventsOf(items, 'decision.opened').at(-1)?.decision).toMatchObject({
      action: { danger: 'code' },
      recommendation: 'reject',
    });
  }, 60_000);

  test('an approval does not hold where a link leads elsewhere by then', async () => {
    if (!(await isThere(mode))) return;
    const workspace = rig.workspace();
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    for (const folder of ['build/old', 'made/old', 'kept/old']) {
      mkdirSync(join(workspace, folder), { recursive: true });
      writeFileSync(join(workspace, folder, 'file'), folder);
    }
    const { task } = await startWith(mode, workspace, [shell('rm -rf build/old'), git('clean', '-fdxq', 'made/old')]);
    for (const [index, folder] of ['build', 'made'].entries()) {
      const [first, second] = [`tidy-${2 * index + 1}`, `tidy-${2 * index + 2}`];
      await eventOf(task, decisionOpened(first));
      renameSync(join(workspace, folder), join(workspace, `${folder}-before`));
      symlinkSync('kept', join(workspace, folder));
      await task.decide({ decisionId: first, option: 'approve' });
      await eventOf(task, decisionOpened(second));
      expect(existsSync(join(workspace, 'kept/old/file'))).toBe(true);
      await task.decide({ decisionId: second, option: 'reject' });
    }
    expect(await rejectAll(task)).toBe('completed');
    expect(existsSync(join(workspace, 'kept/old/file'))).toBe(true);
  }, 60_000);
});

/** The calls that a person was asked about, as the model called it. */
async function questionsOf(task: TaskHandle): Promise<unknown[]> {
  const { items } = await task.allEvents();
  return eventsOf(items, 'decision.opened').map(({ decision }) =>
    'action' in decision ? [decision.action.tool, decision.action.arguments] : [decision.kind],
  );
}
