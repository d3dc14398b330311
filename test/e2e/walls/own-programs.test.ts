// Programs that Heddle starts outside of the sandbox are never files that an agent wrote, though `npx` puts the project's own programs first.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { useRig } from '../../support/rig.ts';
import { makeTrap, modes, needsSandbox, play, type Turn } from './support-walls.ts';

/** One project for all tests of the file: its folder of programs is on the PATH of the worker before it is there. */
const project = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-project-')));
const packages = join(project, 'node_modules', '.bin');
const scripts = join(project, 'bin');
/** A folder elsewhere that leads into the project. */
const linked = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-linked-')));
symlinkSync(join(project, 'linked'), join(linked, 'bin'));
afterAll(() => rmSync(linked, { recursive: true, force: true }));
const path = [packages, scripts, join(linked, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
const rig = useRig({ env: { PATH: path } });

const planted = ['git', 'sh', 'bash', 'bwrap', 'node', 'claude'];

function emptyProject(): string {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  return project;
}

/** The same for every name, in both folders. */
const plant = `for f in ${packages} ${scripts}; do mkdir -p $f; for p in ${planted.join(' ')}; do cp evil $f/$p; chmod +x $f/$p; done; done`;

describe.for(modes)('mode %s', (mode) => {
  test('programs that a command puts on the PATH are not run by snapshots, checks and later commands', async (context) => {
    await needsSandbox(mode, context);
    const { trace, script } = makeTrap();
    const workspace = emptyProject();
    writeFileSync(join(workspace, 'evil'), script, { mode: 0o755 });
    const { state } = await play(rig, {
      workspace,
      mode,
      turns: [[['shell', { command: plant }]], [['git', { args: ['status'] }]], [['shell', { command: 'ls' }]]],
      subtask: { verify: ['ls evil'] },
    });
    expect(state).toBe('completed');
    expect(existsSync(join(scripts, 'git'))).toBe(true);
    // The worker ran none of them; in the sandbox a command may well find its own.
    expect(existsSync(trace)).toBe(false);
  });

  test('tools on files put nothing into a folder of the PATH, nor a folder in its place', async (context) => {
    await needsSandbox(mode, context);
    const workspace = emptyProject();
    writeFileSync(join(workspace, 'evil'), '#!/bin/sh\n', { mode: 0o755 });
    mkdirSync(join(workspace, 'other', '.bin'), { recursive: true });
    writeFileSync(join(workspace, 'other', '.bin', 'git'), '#!/bin/sh\n', { mode: 0o755 });
    const { task } = await play(rig, {
      workspace,
      mode,
      turns: [
        [['write_file', { path: 'node_modules/.bin/git', content: '#!/bin/sh\n' }]],
        [['move_path', { from: 'evil', to: 'node_modules/.bin/git' }]],
        [['move_path', { from: 'evil', to: 'bin/git' }]],
        [['move_path', { from: 'other', to: 'node_modules' }]],
        [['write_file', { path: 'node_modules/package/index.js', content: '1' }]],
      ],
    });
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'tool.refused')).toHaveLength(4);
    expect([existsSync(packages), existsSync(scripts)]).toEqual([false, false]);
    expect(existsSync(join(workspace, 'node_modules', 'package', 'index.js'))).toBe(true);
  });
});

test.for(modes)(
  'mode %s: a folder of the PATH that leads into the workspace by a link has no programs',
  async (mode, context) => {
    await needsSandbox(mode, context);
    const { trace, script } = makeTrap();
    const workspace = emptyProject();
    mkdirSync(join(workspace, 'linked'));
    for (const name of [...planted, 'ls']) writeFileSync(join(workspace, 'linked', name), script, { mode: 0o755 });
    const turns: Turn[] = [[['shell', { command: 'ls' }]], [['git', { args: ['status'] }]]];
    expect((await play(rig, { workspace, mode, turns })).state).toBe('completed');
    expect(existsSync(trace)).toBe(false);
  },
);

test('an agent program of a preset that lies in the workspace alone is not found', async () => {
  const { trace, script } = makeTrap();
  const workspace = emptyProject();
  for (const folder of [packages, scripts]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'opencode'), script, { mode: 0o755 });
  }
  writeFileSync(join(workspace, 'heddle.toml'), '[executors.helper]\npreset = "opencode"\n');
  const task = await rig.start({
    goal: 'a test',
    workspace,
    subtasks: [{ id: 'a', description: 'a', executor: 'helper' }],
  });
  await expect(task.result()).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  expect(existsSync(trace)).toBe(false);
});

test('a program that the plan names is looked up as before', async () => {
  const workspace = emptyProject();
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, 'own-tool'), '#!/bin/sh\necho ran | tee ran\n', { mode: 0o755 });
  const task = await rig.start({
    goal: 'a test',
    workspace,
    subtasks: [{ id: 'a', description: 'a', executor: { kind: 'command', run: ['own-tool'] } }],
  });
  expect((await task.result()).state).toBe('completed');
  expect(existsSync(join(workspace, 'ran'))).toBe(true);
});
