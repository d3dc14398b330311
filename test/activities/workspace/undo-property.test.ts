// Random trees, random edits by one to three writers at once: undo of the task gives back every path, mode, byte and link target.
// Each is a hundred calls of git: HEDDLE_FUZZ_RUNS=1000 for a long look.
import fc from 'fast-check';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprint, git, makeWorkspace, refusalOf, type WorkspaceRig } from './support.ts';

const asked = process.env['HEDDLE_FUZZ_RUNS'];
const numRuns = Number(asked ?? 6);
const patience = asked === undefined ? 60_000 : 3_600_000;

/** Few names, so that files, folders and links take each other's places. */
const name = fc.constantFrom('a', 'b', 'ü ', '-x', 'n\nl');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const content = fc.oneof(
  fc.constantFrom('', 'x\n', 'x\r\n', '\0\0'),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ maxLength: 20 }),
);
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o777);

const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content, mode }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('mode' as const), path, mode }),
  fc.record({ kind: fc.constant('link' as const), path, target: fc.constantFrom('a', '/nowhere', 'b/a', '.') }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
  fc.record({ kind: fc.constant('folder' as const), path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

const writer = fc.constantFrom('one', 'two', 'three');
const step = fc.record({ by: writer, edit, then: fc.constantFrom('go on', 'go on', 'end') });

/** A step that is impossible (a file where a folder would have to be) is skipped. No link leads upwards: edits through it would leave the test's own folder. */
function apply(at: (path: string) => string, change: Edit): void {
  try {
    switch (change.kind) {
      case 'write':
        mkdirSync(dirname(at(change.path)), { recursive: true });
        writeFileSync(at(change.path), change.content, { flag: 'wx', mode: change.mode });
        return chmodSync(at(change.path), change.mode);
      case 'remove':
        return rmSync(at(change.path), { recursive: true, force: true });
      case 'mode':
        return chmodSync(at(change.path), change.mode | 0o700);
      case 'link':
        rmSync(at(change.path), { recursive: true, force: true });
        return symlinkSync(change.target, at(change.path));
      case 'move':
        return renameSync(at(change.path), at(change.to));
      case 'folder':
        return void mkdirSync(at(change.path), { recursive: true });
    }
  } catch {
    return;
  }
}

async function work(rig: WorkspaceRig, steps: readonly { by: string; edit: Edit; then: string }[]): Promise<void> {
  const running = new Set<string>();
  for (const { by, edit: change, then } of steps) {
    if (!running.has(by)) await rig.start(by);
    running.add(by);
    apply(rig.at, change);
    if (then === 'end') {
      await rig.end(by);
      running.delete(by);
    }
  }
  for (const by of running) await rig.end(by);
}

test(
  'undo of the task is exact, and the user’s repository is never touched',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 12 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (first, steps) => {
          const rig = await makeWorkspace();
          for (const change of first) apply(rig.at, change);
          git(rig.workspace, 'init', '-q', '--template=');
          git(rig.workspace, 'add', '-A');
          const before = fingerprint(rig.workspace);
          await work(rig, steps);
          await rig.undo();
          expect(fingerprint(rig.workspace)).toEqual(before);
          expect((await rig.undo()).files).toEqual([]);
          expect((await rig.diff()).diff.files).toEqual([]);
        },
      ),
      { numRuns, endOnFailure: true },
    );
  },
  patience,
);

test(
  'undo of a subtask leaves nothing of it, or refuses and changes nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const rig = await makeWorkspace();
        await rig.start('one');
        await work(rig, steps);
        await rig.end('one');
        const before = fingerprint(rig.workspace);
        const refusal = await refusalOf(rig.undo('one'));
        if (refusal !== undefined) {
          expect(refusal.code).toBe('UNDO_CONFLICT');
          expect(refusal.files.length).toBeGreaterThan(0);
          expect(fingerprint(rig.workspace)).toEqual(before);
        } else expect((await rig.diff('one')).diff.files).toEqual([]);
      }),
      { numRuns: Math.ceil(numRuns / 2), endOnFailure: true },
    );
  },
  patience,
);
