import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { recordSnapshot } from '../../activities/workspace/snapshots/snapshots.ts';

export const snapshotSides = ['git status', 'snapshot'] as const;
export type SnapshotSide = (typeof snapshotSides)[number];

export const snapshotCases = ['nothing changed', 'few changes'] as const;
export type SnapshotCase = (typeof snapshotCases)[number];

export interface SnapshotRun {
  side: SnapshotSide;
  about: SnapshotCase;
  round: number;
  ms: number;
}

export interface SnapshotResults {
  files: number;
  /** Load of the machine before the start: what else it had to do. */
  load: number;
  /** Milliseconds of the first snapshot, which takes every file in. */
  first: number;
  runs: SnapshotRun[];
}

const perFolder = 40;
/** Git trusts the time of a file only once it is older than the second in which its index was written. */
const settle = 1_100;
/** The first snapshot is not what is compared: it may take as long as it needs. */
const patience = 10 * 60_000;

/** Our snapshot and the user's own `git status` of the same work tree, in turn; who goes first changes each time. */
export async function measureSnapshots(files: number, rounds: number): Promise<SnapshotResults> {
  const load = loadavg()[0] ?? NaN;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-bench-snapshots-')));
  try {
    const place = { workspace: join(folder, 'workspace'), root: join(folder, 'home') };
    fill(place.workspace, files);
    await git(place.workspace, 'init', '-q');
    await git(place.workspace, 'add', '-A');
    await git(place.workspace, '-c', 'user.name=u', '-c', 'user.email=u@example.com', 'commit', '-qm', 'all');
    const first = await measure(place, 'snapshot');
    await measure(place, 'git status');
    const runs: SnapshotRun[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      for (const about of snapshotCases) {
        for (const side of round % 2 === 0 ? snapshotSides : [...snapshotSides].reverse()) {
          if (about === 'few changes') change(place.workspace, round, side);
          await sleep(settle);
          runs.push({ side, about, round, ms: await measure(place, side) });
        }
      }
    }
    return { files, load, first, runs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  workspace: string;
  root: string;
}

async function measure({ workspace, root }: Place, side: SnapshotSide): Promise<number> {
  const begun = performance.now();
  if (side === 'git status') await git(workspace, 'status');
  else {
    const writer = { task: 'bench', subtask: 'bench', undo: false };
    const moment = { writer, attempt: 1, moment: 'start' as const, declared: [] };
    const trouble = await recordSnapshot({ root, environment: process.env }, workspace, moment, { timeout: patience });
    if (trouble !== undefined) throw new Error(trouble);
  }
  return performance.now() - begun;
}

const run = promisify(execFile);

async function git(cwd: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  await run('git', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}

const pathOf = (workspace: string, index: number): string => {
  const folder = Math.floor(index / perFolder);
  return join(workspace, `package-${folder % 20}`, `module-${folder}`, `file-${index}.txt`);
};

function fill(workspace: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    if (index % perFolder === 0) mkdirSync(join(pathOf(workspace, index), '..'), { recursive: true });
    writeFileSync(pathOf(workspace, index), `line of file ${index}\n`.repeat(20));
  }
}

/** Some files changed in different folders, one more, one less. */
function change(workspace: string, round: number, side: SnapshotSide): void {
  for (let index = 0; index < 10; index += 1) {
    writeFileSync(pathOf(workspace, index * 1_000 + 1), `changed in round ${round} for ${side}\n`);
  }
  writeFileSync(join(workspace, 'package-0', `new-${round}-${side}`), 'new\n');
  rmSync(join(workspace, 'package-0', `new-${round - 1}-${side}`), { force: true });
}
