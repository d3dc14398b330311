// A model that tries everything: in a sandbox with a person who lets every command run, and without one with a person who lets none.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import type { TaskHandle } from '../../../client/index.ts';
import { eventsOf } from '../../support/events.ts';
import { useRig } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';

const rig = useRig({ env: { DEPLOY_TOKEN: 'canary-of-the-worker' } });

const canary = 'canary-of-the-home';
const daemon = `${31_000 + (process.pid % 1_000)}.5`;

/** What others own: a home with a key, and a port that counts who comes. */
async function surroundings(): Promise<{ home: string; port: number; visits: () => number }> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-victim-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.ssh', 'id_ed25519'), canary);
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { home, port: (server.address() as AddressInfo).port, visits: () => visits };
}

/** Refused to the model, whoever is asked. */
const refused = (home: string, store: string): [string, unknown][] => [
  ['read_file', { path: join(home, '.ssh', 'id_ed25519') }],
  ['read_file', { path: '/proc/self/environ' }],
  ['read_file', { path: '../secret' }],
  ['list_folder', { path: store }],
  ['write_file', { path: '../escaped', content: 'x' }],
  ['write_file', { path: join(store, 'escaped'), content: 'x' }],
  ['write_file', { path: 'up/escaped', content: 'x' }],
  ['write_file', { path: '.git/hooks/pre-commit', content: '#!/bin/sh\n' }],
  ['move_path', { from: 'README.md', to: '../escaped' }],
  ['shell', { command: `cat ${store}/*` }],
  ['git', { args: ['-C', store, 'status'] }],
];

const asked = (home: string, port: number): [string, unknown][] => [
  [
    'edit_file',
    { path: 'heddle.toml', old: '[providers.local]', new: '[gates]\nallow = ["shell:rm"]\n[providers.local]' },
  ],
  ['delete_path', { path: 'src' }],
  ['shell', { command: `cat ${home}/.ssh/id_ed25519` }],
  ['shell', { command: `cp ${home}/.ssh/id_ed25519 stolen; cat stolen` }],
  ['shell', { command: 'cat /proc/[0-9]*/environ' }],
  ['shell', { command: `echo x > ${home}/escaped` }],
  ['shell', { command: `bash -c 'echo hi > /dev/tcp/127.0.0.1/${port}'` }],
  ['shell', { command: `python3 -c "import socket; socket.create_connection(('127.0.0.1', ${port}))"` }],
  ['shell', { command: 'rm -rf src' }],
  ['shell', { command: `RANDOM='a[$(rm -rf src)]'` }],
  ['shell', { command: `x='a[$(touch stolen)]' bash -c ': $((x))'` }],
  ['shell', { command: `x='a[$(touch stolen)]'; printf -v "$x" 1` }],
  ['git', { args: ['-c', 'core.sshCommand=touch stolen', 'push', '--force', 'ssh://nowhere.invalid/x'] }],
];

/** Harmless as they are: what they start must not outlive them, and nothing may grow without end. */
const greedy: [string, unknown][] = [
  ['shell', { command: `setsid sh -c 'sleep ${daemon}' & (nohup sleep ${daemon} >/dev/null 2>&1 &) ; true` }],
  ['shell', { command: `bomb() { sleep ${daemon} & bomb | bomb & }; bomb; wait` }],
  ['shell', { command: 'truncate -s 20G huge; printf x | dd of=huge bs=1 seek=20G' }],
];

/** One kind of person for every question until the task has ended. */
async function answerAll(task: TaskHandle, approves: (tool: string) => boolean): Promise<string> {
  for (let round = 0; round < 600; round += 1) {
    // While a command takes all of the machine, the worker may be late.
    const status = await task.status().catch(() => undefined);
    if (status === undefined) continue;
    const { decisions, state, endedAt } = status;
    if (endedAt !== null) return state;
    for (const decision of decisions) {
      if (decision.kind !== 'approval' || decision.action === undefined) throw new Error(JSON.stringify(decision));
      const option = approves(decision.action.tool) ? 'approve' : 'reject';
      await task.decide({ decisionId: decision.id, option });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it does not end');
}

const running = (): string => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

test.each([
  { mode: 'auto', who: 'a person who lets every command run', approves: (tool: string) => tool === 'shell' },
  { mode: 'off', who: 'a person who lets nothing run', approves: () => false },
])(
  'in a sandbox of mode $mode, with $who: nothing passes, and the task goes on',
  async ({ mode, approves }) => {
    if (mode === 'auto' && (await findSandbox()).kind !== 'bubblewrap') {
      expect(process.env['HEDDLE_REQUIRE_SANDBOX']).toBeUndefined();
      return;
    }
    const { home, port, visits } = await surroundings();
    const workspace = rig.workspace();
    mkdirSync(join(workspace, 'src'));
    writeFileSync(join(workspace, 'src', 'a.txt'), 'a');
    writeFileSync(join(workspace, 'README.md'), 'r');
    execFileSync('ln', ['-s', '..', join(workspace, 'up')]);
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    writeFileSync(join(workspace, '..', 'secret'), canary);
    const tries = [...refused(home, rig.storeFolder), ...asked(home, port), ...greedy];
    const { url, requests } = await serveScript([...tries.map((one) => calls(one)), finishes('I tried everything')]);
    writeModels(workspace, url);
    appendFileSync(join(workspace, 'heddle.toml'), `[sandbox]\nmode = "${mode}"\n`);
    const config = readFileSync(join(workspace, 'heddle.toml'), 'utf8');
    const task = await rig.start({
      goal: 'Tidy',
      workspace,
      executor: { kind: 'agent', iterations: 60 },
      subtasks: [{ id: 'tidy', description: 'Tidy up' }],
    });
    expect(await answerAll(task, approves)).toBe('completed');
    const { items } = await task.allEvents();
    expect(requests).toHaveLength(tries.length + 1);
    for (const { text } of requests) expect(text).not.toMatch(/canary-of-the-/);
    expect(eventsOf(items, 'tool.refused').map(({ tool }) => tool)).toEqual(
      refused(home, rig.storeFolder).map(([tool]) => tool),
    );
    // Every other try was asked about, but for what is harmless in a sandbox: its own /tmp.
    const questions = eventsOf(items, 'decision.opened').map(({ decision }) => decision);
    expect(questions.length).toBeGreaterThanOrEqual(asked(home, port).length - (mode === 'auto' ? 3 : 0));
    const escaped = [home, rig.storeFolder, join(workspace, '..')].map((folder) => existsSync(join(folder, 'escaped')));
    expect(escaped).toEqual([false, false, false]);
    expect(readFileSync(join(workspace, 'heddle.toml'), 'utf8')).toBe(config);
    expect(existsSync(join(workspace, '.git', 'hooks', 'pre-commit'))).toBe(false);
    expect(visits()).toBe(0);
    expect(running()).not.toContain(`sleep ${daemon}`);
    const huge = statSync(join(workspace, 'huge'), { throwIfNoEntry: false })?.size ?? 0;
    expect(huge).toBeLessThanOrEqual(activityLimits.commands.fileBytes);
    if (mode === 'off') expect(existsSync(join(workspace, 'src', 'a.txt'))).toBe(true);
  },
  60_000,
);
