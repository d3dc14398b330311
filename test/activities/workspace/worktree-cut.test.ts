// Copies of a workspace that are cut off between any two steps, by a kill or a full disk: nothing that was lost is told as merged.
import type * as FileSystem from 'node:fs/promises';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as RunGit from '../../../activities/workspace/git/run-git.ts';
import { mergeWorktree } from '../../../activities/workspace/worktree/merge-worktree.ts';
import { folderOfWork, openWorktree, placeOfWork } from '../../../activities/workspace/worktree/worktree.ts';
import { worktreeFolder } from '../../../activities/home/home-layout.ts';
import { fingerprint, makeWorkspace, write, type WorkspaceRig } from './support.ts';

/** The fate of the steps that change something: files, folders, and calls of git. */
const cut = vi.hoisted(() => {
  const state = { steps: 0, at: Infinity, kind: 'killed' as 'killed' | 'full', hit: false };
  const step = <A extends unknown[], R>(real: (...args: A) => R) =>
    function stepped(...args: A): R {
      state.steps += 1;
      const strikes = state.kind === 'killed' ? state.steps >= state.at : state.steps === state.at;
      if (!strikes) return real(...args);
      state.hit = true;
      // After a kill nothing is done any more, no clearing away either.
      throw Object.assign(new Error('cut off'), { code: 'ENOSPC', syscall: 'write' });
    };
  return { state, step };
});

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  const { step } = cut;
  return {
    ...real,
    chmod: step(real.chmod),
    copyFile: step(real.copyFile),
    cp: step(real.cp),
    mkdir: step(real.mkdir),
    open: step(real.open),
    rename: step(real.rename),
    rm: step(real.rm),
    rmdir: step(real.rmdir),
    symlink: step(real.symlink),
    unlink: step(real.unlink),
    writeFile: step(real.writeFile),
  };
});

vi.mock('../../../activities/workspace/git/run-git.ts', async (original) => {
  const real = await original<typeof RunGit>();
  return { ...real, runOwnGit: cut.step(real.runOwnGit) };
});

beforeEach(() => heal());

function heal(): void {
  Object.assign(cut.state, { steps: 0, at: Infinity, hit: false });
}

const owner = (rig: WorkspaceRig, attempt = 1) => ({ taskId: 't', subtaskId: 'a', workspace: rig.workspace, attempt });

/** As `verifySubtask` does it for a subtask without checks; a throw is no verdict. */
async function verify(rig: WorkspaceRig, attempt = 1): Promise<'pass' | 'fail'> {
  await folderOfWork(rig.parts, owner(rig, attempt));
  const { conflicts } = await mergeWorktree(rig.parts, { ...owner(rig, attempt), deliverables: ['ignored.bin'] });
  return conflicts.length === 0 ? 'pass' : 'fail';
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : 'nothing');

/** A copy with changes of all kinds; with `contested` others changed the same place of a file meanwhile. */
async function worked(contested: boolean): Promise<WorkspaceRig> {
  const rig = await makeWorkspace();
  for (const name of ['same.txt', 'gone.txt', 'deep/er/kept.txt']) write(rig.at(name), name);
  write(rig.at('private.txt'), 'private', 0o600);
  write(rig.at('.gitignore'), 'ignored.bin\n');
  const { folder } = await openWorktree(rig.parts, owner(rig));
  write(join(folder, 'same.txt'), 'mine');
  write(join(folder, 'new/file.txt'), 'new');
  write(join(folder, 'ignored.bin'), 'asked for');
  rmSync(join(folder, 'gone.txt'));
  if (contested) write(rig.at('same.txt'), 'theirs');
  return rig;
}

const mine = { 'same.txt': 'mine', 'new/file.txt': 'new', 'gone.txt': 'nothing', 'ignored.bin': 'asked for' };
const filesOf = (rig: WorkspaceRig): Record<string, string> =>
  Object.fromEntries(Object.keys(mine).map((path) => [path, read(rig.at(path))]));

const counted = new Map<string, number>();

/** How many steps something has that is run once to its end. */
async function countSteps(what: string, begin: () => Promise<WorkspaceRig>, action: Action): Promise<number> {
  const counts = counted.get(what);
  if (counts !== undefined) return counts;
  const rig = await begin();
  heal();
  await action(rig);
  const { steps } = cut.state;
  heal();
  counted.set(what, steps);
  return steps;
}

type Action = (rig: WorkspaceRig) => Promise<unknown>;

/** Cuts it off before a step, as a kill or as a write that fails; false when it came to its end before. */
async function cutOff(at: number, kind: 'killed' | 'full', action: () => Promise<unknown>): Promise<boolean> {
  heal();
  Object.assign(cut.state, { at, kind });
  await action().catch((error: unknown) => {
    if (!cut.state.hit) throw error;
  });
  const { hit } = cut.state;
  heal();
  return hit;
}

/** From a step that chance chooses, so that each is cut off sooner or later. */
function everyStep(steps: number, stride: number): number[] {
  const first = 1 + Math.floor(Math.random() * stride);
  return Array.from({ length: Math.ceil((steps - first + 1) / stride) }, (_, index) => first + index * stride);
}

describe.each(['killed', 'full'] as const)(
  'cut off (%s) before any step',
  (kind) => {
    // With HEDDLE_EVERY_STEP every one; otherwise fewer, and fewer failing writes, which differ only in what is cleared away.
    const stride = process.env['HEDDLE_EVERY_STEP'] !== undefined ? 1 : kind === 'killed' ? 12 : 24;

    test('of making a copy: the next try makes a whole one', async () => {
      const make = (rig: WorkspaceRig) => openWorktree(rig.parts, owner(rig));
      const fill = async (): Promise<WorkspaceRig> => {
        const rig = await makeWorkspace();
        write(rig.at('one.txt'), 'one');
        write(rig.at('private.txt'), 'private', 0o600);
        return rig;
      };
      const steps = await countSteps('copy', fill, make);
      expect(steps).toBeGreaterThan(10);
      for (const at of everyStep(steps, stride)) {
        const rig = await fill();
        expect(await cutOff(at, kind, () => make(rig)), `step ${at}`).toBe(true);
        const before = await placeOfWork(rig.parts, owner(rig));
        expect(['copy', 'missing']).toContain(before.kind);
        const { folder } = await make(rig);
        expect(fingerprint(folder), `step ${at}`).toEqual(fingerprint(rig.workspace));
      }
    });

    test('of a merge: a retry brings everything into the workspace', async () => {
      const steps = await countSteps(
        'merge',
        () => worked(false),
        (rig) => verify(rig),
      );
      expect(steps).toBeGreaterThan(20);
      for (const at of everyStep(steps, stride)) {
        const rig = await worked(false);
        expect(await cutOff(at, kind, () => verify(rig)), `step ${at}`).toBe(true);
        expect(await verify(rig), `step ${at}`).toBe('pass');
        expect(filesOf(rig), `step ${at}`).toEqual(mine);
        expect(await verify(rig), `step ${at}, asked again`).toBe('pass');
        expect((await placeOfWork(rig.parts, owner(rig))).kind).toBe('merged');
      }
    });

    test('of a refused merge: it stays refused, the workspace as it is, and the next attempt has the rest of its changes', async () => {
      const steps = await countSteps(
        'refused',
        () => worked(true),
        (rig) => verify(rig),
      );
      expect(steps).toBeGreaterThan(20);
      for (const at of everyStep(steps, stride)) {
        const rig = await worked(true);
        const before = fingerprint(rig.workspace);
        expect(await cutOff(at, kind, () => verify(rig)), `step ${at}`).toBe(true);
        expect(await verify(rig), `step ${at}`).toBe('fail');
        expect(fingerprint(rig.workspace), `step ${at}`).toEqual(before);

        const { folder } = await openWorktree(rig.parts, owner(rig, 2));
        expect([read(join(folder, 'same.txt')), read(join(folder, 'new/file.txt'))], `step ${at}`).toEqual([
          'theirs',
          'new',
        ]);
        write(join(folder, 'same.txt'), 'mine');
        expect(await verify(rig, 2), `step ${at}`).toBe('pass');
        expect(filesOf(rig), `step ${at}`).toEqual(mine);
      }
    });
  },
  300_000,
);

describe('what is no copy and no merge', () => {
  test('a note of the copy that is gone, cut short, of another shape, or announces nothing: no verdict, and the next attempt starts anew', async () => {
    const rig = await worked(false);
    const notes: [name: string, content: string | undefined][] = [
      ['base.json', undefined],
      ['base.json', '{"base":{"tr'],
      ['base.json', '{"tree":"x"}'],
      ['next.json', ''],
    ];
    for (const [index, [name, content]] of notes.entries()) {
      const attempt = index + 1;
      const path = join(worktreeFolder(rig.parts.root, owner(rig, attempt)), name);
      if (content === undefined) rmSync(path);
      else writeFileSync(path, content);
      const missing = { code: 'WORKTREE_MISSING' };
      await expect(verify(rig, attempt), `${name} ${content}`).rejects.toMatchObject(missing);
      const merging = mergeWorktree(rig.parts, { ...owner(rig, attempt), deliverables: [] });
      await expect(merging, `${name} ${content}`).rejects.toMatchObject(missing);
      expect(read(rig.at('same.txt'))).toBe('same.txt');
      const { folder } = await openWorktree(rig.parts, owner(rig, attempt + 1));
      expect(read(join(folder, 'same.txt'))).toBe('same.txt');
      write(join(folder, 'same.txt'), 'mine');
    }
  });

  test('files that are gone under their note are no copy', async () => {
    const rig = await worked(false);
    rmSync((await openWorktree(rig.parts, owner(rig))).folder, { recursive: true });
    await expect(verify(rig)).rejects.toMatchObject({ code: 'WORKTREE_MISSING' });
    expect(read(rig.at('same.txt'))).toBe('same.txt');
  });

  test('a word about a merge that cannot be read is none, and the copy is merged', async () => {
    const rig = await worked(false);
    writeFileSync(join(worktreeFolder(rig.parts.root, owner(rig)), 'merged.json'), '{"att');
    expect(await verify(rig)).toBe('pass');
    expect(filesOf(rig)).toEqual(mine);
  });

  test('an attempt that ran again after its merge is merged again', async () => {
    const rig = await worked(false);
    expect(await verify(rig)).toBe('pass');
    const { folder } = await openWorktree(rig.parts, owner(rig));
    write(join(folder, 'same.txt'), 'mine again');
    expect(await verify(rig)).toBe('pass');
    expect(read(rig.at('same.txt'))).toBe('mine again');
  });
});
