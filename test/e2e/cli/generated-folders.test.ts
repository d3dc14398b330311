// A task that installs packages, on a real service: what its end, its report, `diff` and `undo` tell of a folder that no snapshot holds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { write } from '../../activities/workspace/support.ts';
import { Cli, useSharedHome } from '../../support/cli.ts';

const home = useSharedHome();

test('a generated folder that a task fills is named at its end, in its report, by diff and by undo, and stays', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const at = (path: string): string => join(cli.cwd, path);
  write(at('node_modules/old/index.js'), 'old\n');
  const executor = { kind: 'command', run: ['sh', '-c', 'mkdir node_modules/new; echo n > node_modules/new/index.js'] };
  // Later subtasks have a deliverable in `dist`, so this one's file there is held too.
  const builds = { kind: 'command', run: ['sh', '-c', 'mkdir -p dist; echo one > dist/one.js'] };
  const reports = { kind: 'command', run: ['sh', '-c', 'echo r > dist/report.html'] };
  const subtasks = [
    { id: 'install', executor },
    { id: 'build', dependsOn: ['install'], executor: builds },
    { id: 'report', dependsOn: ['build'], executor: reports, deliverables: ['dist/report.html'] },
  ];
  const file = join(cli.cwd, '..', 'plan.json');
  write(file, JSON.stringify({ goal: 'install', workspace: cli.cwd, subtasks }));

  const run = await cli.here('run', file, '--id', 'installs');
  // Nothing was printed, and a program that installs packages is not empty.
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^ *Undo +restores 2 files, but not node_modules;/m);

  const outside = [{ path: 'node_modules', why: 'generated' }];
  const diff = await cli.jsonHere<TaskDiff>('diff', 'installs');
  expect(diff.files.map(({ path, by }) => `${path} ${by.join()}`)).toEqual([
    'dist/one.js build',
    'dist/report.html report',
  ]);
  expect(diff.outside).toEqual(outside);
  const note = 'outside: node_modules (changed; snapshots leave out generated folders)';
  expect((await cli.here('diff', 'installs', '--stat')).stderr).toContain(note);

  expect((await cli.here('report', 'installs')).stdout).toContain('but not node\\_modules');
  const report = await cli.jsonHere<{ changes: { uncovered: string[] } }>('report', 'installs');
  expect(report.changes.uncovered).toEqual(['node_modules']);

  const undone = await cli.jsonHere<UndoAnswer>('undo', 'installs');
  expect(undone.outside).toEqual(outside);
  expect(undone.files.map(({ path }) => path).sort()).toEqual(['dist/one.js', 'dist/report.html']);
  expect(existsSync(at('node_modules/new/index.js'))).toBe(true);
  expect(existsSync(at('dist'))).toBe(false);
});
