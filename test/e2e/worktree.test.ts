// `isolation: worktree`: each subtask works in a copy, merged after verification one at a time. `restore: true`: a rung that starts clean.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endOf, linesOf, shellPlan, useRig } from '../support/rig.ts';
import { told } from './typed-events.ts';

const rig = useRig();

const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const changed = (...changes: [number, string][]): string[] =>
  lines.map((line, index) => changes.find(([number]) => number === index + 1)?.[1] ?? line);

function workspaceWith(files: Record<string, string>): string {
  const workspace = rig.workspace();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  return workspace;
}

const book = `${lines.join('\n')}\n`;
/** Waits until the other one has begun too. */
const together = (me: string, other: string): string =>
  `touch ${me}; n=0; while [ ! -e ${other} ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done`;

describe('isolation: worktree', () => {
  test('two that change different places of one file at once both get their change in, and see nothing of each other', async () => {
    const workspace = workspaceWith({ 'book.txt': book, 'old.txt': 'old' });
    const marks = rig.workspace();
    const edit = (me: string, other: string, line: number): string =>
      `${together(`${marks}/${me}`, `${marks}/${other}`)}; sed -i 's/^line ${line}$/${me} was here/' book.txt; grep -c 'was here' book.txt > ${marks}/seen-${me}; echo ${me} > ${me}.txt; echo done`;
    const task = await rig.start(
      shellPlan(
        {
          ana: { sh: edit('ana', 'bob', 2), isolation: 'worktree', verify: ['grep -q "ana was here" book.txt'] },
          bob: { sh: `${edit('bob', 'ana', 19)}; rm old.txt`, isolation: 'worktree' },
          sum: { sh: 'grep -c "was here" book.txt', dependsOn: ['ana', 'bob'] },
        },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(linesOf(join(workspace, 'book.txt'))).toEqual(changed([2, 'ana was here'], [19, 'bob was here']));
    expect(['ana', 'bob'].map((me) => readFileSync(join(marks, `seen-${me}`), 'utf8').trim())).toEqual(['1', '1']);
    expect(['ana.txt', 'bob.txt', 'old.txt'].map((name) => existsSync(join(workspace, name)))).toEqual([
      true,
      true,
      false,
    ]);
    expect((await task.attempts()).map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });

  test('a conflict is a quality failure: the workspace stays, the next attempt is told and starts from the present state', async () => {
    const workspace = workspaceWith({ 'book.txt': book });
    const marks = rig.workspace();
    const first = `${together(`${marks}/first`, `${marks}/second`)}; sed -i 's/^line 5$/first/' book.txt; echo done`;
    const second = [
      `cat > ${marks}/prompt-$HEDDLE_ATTEMPT`,
      together(`${marks}/second`, `${marks}/first`),
      `cp book.txt ${marks}/book-$HEDDLE_ATTEMPT`,
      `if [ $HEDDLE_ATTEMPT = 1 ]; then n=0; while ! grep -q first ${workspace}/book.txt && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done; fi`,
      `sed -i 's/^line 5$/second/; s/^first$/both/' book.txt; echo kept > kept.txt; echo done`,
    ].join('; ');
    const task = await rig.start(
      shellPlan(
        { first: { sh: first, isolation: 'worktree' }, second: { sh: second, isolation: 'worktree' } },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(linesOf(join(workspace, 'book.txt'))).toEqual(changed([5, 'both']));
    const [failed] = (await task.attempts()).filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject({ subtask: 'second', attempt: 1, type: 'merge-conflict', category: 'quality' });
    expect(readFileSync(join(marks, 'prompt-2'), 'utf8')).toContain('book.txt');
    expect(linesOf(join(marks, 'book-2'))).toEqual(changed([5, 'first']));
    expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe('kept\n');
  });

  test('what a failed attempt did stays in its copy; the retry finds it there; nothing reaches the workspace before the checks pass', async () => {
    const workspace = workspaceWith({ 'book.txt': book, '.gitignore': 'dist/\n' });
    symlinkSync('book.txt', join(workspace, 'link'));
    const marks = rig.workspace();
    const sh = `ls -A | sort | tr '\\n' ' ' > ${marks}/ls-$HEDDLE_ATTEMPT; echo $HEDDLE_ATTEMPT >> tries.txt; ls ${workspace} > ${marks}/outside-$HEDDLE_ATTEMPT; mkdir -p dist; echo built > dist/app; echo done`;
    const task = await rig.start(
      shellPlan(
        { work: { sh, isolation: 'worktree', deliverables: ['dist/app'], verify: ['[ $(wc -l < tries.txt) -ge 2 ]'] } },
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(readFileSync(join(marks, 'ls-1'), 'utf8').trim()).toBe('.gitignore book.txt link');
    expect(readFileSync(join(marks, 'ls-2'), 'utf8').trim()).toBe('.gitignore book.txt dist link tries.txt');
    expect(readFileSync(join(marks, 'outside-2'), 'utf8')).not.toContain('tries');
    expect(linesOf(join(workspace, 'tries.txt'))).toEqual(['1', '2']);
    // The copy is made before the program's own time begins.
    expect(await timeLimitOf(task.workflowId, 'work-1-execute')).toBeGreaterThan(32 * 60_000);
    expect(readFileSync(join(workspace, 'dist', 'app'), 'utf8')).toBe('built\n');
  });
});

describe('restore: true', () => {
  const ladder = [{ tier: 'assigned' as const }, { tier: 'next' as const, restore: true }, { person: true as const }];

  test('the subtask starts from the files as they were before its first attempt; those of others stay', async () => {
    const workspace = workspaceWith({ 'book.txt': book });
    const marks = rig.workspace();
    const sh = `ls | tr '\\n' ' ' > ${marks}/ls-$HEDDLE_ATTEMPT; head -1 book.txt >> ${marks}/ls-$HEDDLE_ATTEMPT; echo spoilt > book.txt; echo junk > junk.txt; [ $HEDDLE_ATTEMPT -gt 1 ] || exit 1; echo done`;
    const task = await rig.start(
      shellPlan(
        { other: { sh: 'echo other > other.txt; echo done' }, work: { sh, dependsOn: ['other'] } },
        { workspace, ladder },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    expect(readFileSync(join(marks, 'ls-2'), 'utf8').trim()).toBe('book.txt other.txt line 1');
    expect((await task.attempts()).at(-1)).toMatchObject({ subtask: 'work', attempt: 2, restored: { files: 2 } });
  });

  test('where it is not sure whose a file is, the files stay and the record says why', async () => {
    const workspace = workspaceWith({ 'book.txt': book });
    const marks = rig.workspace();
    const both = `${together(`${marks}/a`, `${marks}/b`)}; echo "$HEDDLE_SUBTASK_ID" >> shared.txt; sleep 0.5; [ $HEDDLE_SUBTASK_ID-$HEDDLE_ATTEMPT != b-1 ] || exit 1; echo done`;
    const task = await rig.start(
      shellPlan(
        {
          a: { sh: both },
          b: { sh: both.replace(`${marks}/a`, `${marks}/b`).replace(/! -e \S+\/b/, `! -e ${marks}/a`) },
        },
        { workspace, ladder },
      ),
    );
    await told(task, 'subtask.completed', ({ subtask }) => subtask === 'b');
    const second = (await task.attempts()).find(({ subtask, attempt }) => subtask === 'b' && attempt === 2);
    expect(second?.restored).toMatchObject({ refused: expect.stringContaining('shared.txt') as string });
    expect(linesOf(join(workspace, 'shared.txt')).filter((line) => line === 'b')).toHaveLength(2);
    expect(await endOf(task)).toBe('completed');
  });
});

/** Time limit that Temporal was given, in milliseconds. */
async function timeLimitOf(workflowId: string, activityId: string): Promise<number> {
  const { events } = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = (events ?? []).map((event) => event.activityTaskScheduledEventAttributes);
  const found = scheduled.find((attributes) => attributes?.activityId === activityId);
  return Number(found?.startToCloseTimeout?.seconds ?? 0) * 1_000;
}
