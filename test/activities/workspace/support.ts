import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import type { UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { diffTask, type DiffAnswer } from '../../../activities/workspace/undo/diff-task.ts';
import { recordSnapshot, type SnapshotParts } from '../../../activities/workspace/snapshots/snapshots.ts';
import { undoTask, type UndoOptions } from '../../../activities/workspace/undo/undo-task.ts';
import { temporaryFolder } from '../execute/program/support.ts';

/** A workspace with its own home; attempts begin and end as a worker would have it. */
export interface WorkspaceRig {
  workspace: string;
  parts: SnapshotParts;
  at: (path: string) => string;
  start: (subtask: string, declared?: string[], task?: string) => Promise<void>;
  end: (subtask: string, declared?: string[], task?: string) => Promise<void>;
  /** One attempt that does what the action does. */
  run: (subtask: string, action: () => unknown, declared?: string[], task?: string) => Promise<void>;
  diff: (subtask?: string, task?: string) => Promise<DiffAnswer>;
  undo: (subtask?: string, options?: UndoOptions, task?: string) => Promise<UndoAnswer>;
}

export async function makeWorkspace(environment: SnapshotParts['environment'] = process.env): Promise<WorkspaceRig> {
  const folder = await temporaryFolder();
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const parts: SnapshotParts = { root: join(folder, 'home'), environment };
  const record = async (moment: 'start' | 'end', subtask: string, declared: string[], task: string): Promise<void> => {
    const writer = { task, subtask, undo: false };
    const trouble = await recordSnapshot(parts, workspace, { writer, attempt: 1, moment, declared });
    if (trouble !== undefined) throw new Error(trouble);
  };
  const start: WorkspaceRig['start'] = (subtask, declared = [], task = 't') => record('start', subtask, declared, task);
  const end: WorkspaceRig['end'] = (subtask, declared = [], task = 't') => record('end', subtask, declared, task);
  return {
    workspace,
    parts,
    at: (path) => join(workspace, path),
    start,
    end,
    async run(subtask, action, declared, task) {
      await start(subtask, declared, task);
      await action();
      await end(subtask, declared, task);
    },
    async diff(subtask, task = 't') {
      const answer = await diffTask(parts, { task, subtask: subtask ?? null });
      if (answer === undefined) throw new Error('no snapshots');
      return answer;
    },
    async undo(subtask, options = {}, task = 't') {
      const answer = await undoTask(parts, { task, subtask: subtask ?? null }, options);
      if (answer === undefined) throw new Error('no snapshots');
      return answer;
    },
  };
}

export function write(path: string, content: string | Uint8Array, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (mode !== undefined) chmodSync(path, mode);
}

export function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Every file below a folder with its kind, mode and bytes; `.git` folders too. Folders only where asked. */
export function fingerprint(folder: string, { folders = false } = {}): Record<string, string> {
  const entries: Record<string, string> = {};
  const walk = (at: Buffer, shown: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([at, Buffer.from('/'), entry.name]);
      const name = `${shown}/${entry.name.toString('latin1')}`;
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (entry.isSymbolicLink()) entries[name] = `link ${readlinkSync(path, 'latin1')}`;
      else if (entry.isDirectory()) {
        if (folders) entries[name] = 'folder';
        walk(path, name);
      } else if (entry.isFile())
        entries[name] = `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    }
  };
  walk(Buffer.from(folder), '');
  return entries;
}

/** The user's own git, with a name and nothing else of this machine. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'u',
    GIT_AUTHOR_EMAIL: 'u@example.com',
    GIT_COMMITTER_NAME: 'u',
    GIT_COMMITTER_EMAIL: 'u@example.com',
  };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The code and the named files of a refusal; undefined when there was none. */
export async function refusalOf(
  sent: Promise<unknown>,
): Promise<{ code: string; files: string[]; text: string } | undefined> {
  try {
    await sent;
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('problems' in error)) throw error;
    const problems = error.problems as { where: string; message: string }[];
    const text = [error.message, ...problems.map(({ message }) => message)].join('\n');
    return { code: String(error.code), files: problems.map(({ where }) => where).sort(), text };
  }
}
