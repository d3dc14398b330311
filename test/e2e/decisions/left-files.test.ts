// A question about a subtask that failed names the files that its attempts left half done.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { renderDecision } from '../../../client/terminal/render/render-decision.ts';
import { currentDetailsOf, decisionOpened, endOf, eventOf, linesOf, shellPlan, useRig } from '../../support/rig.ts';
import { until, witness } from '../../support/witness.ts';

const rig = useRig();
const plain = (_: string, text: string): string => text;

test('what was created, changed and deleted, over all attempts, in the question and in the next prompt', async () => {
  const workspace = rig.workspace();
  for (const name of ['kept.txt', 'old.txt', 'other.txt']) writeFileSync(join(workspace, name), 'one\n');
  const sh = [
    'cat > "../prompt-$(basename "$PWD")-$HEDDLE_ATTEMPT.txt"',
    '[ $HEDDLE_ATTEMPT = 1 ] && { printf "1\\n2\\n" > new.txt; rm old.txt; echo broken >&2; exit 1; }',
    'echo two >> kept.txt; echo 3 >> new.txt; echo "not allowed" >&2; exit 77',
  ].join('; ');
  const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
  await eventOf(task, decisionOpened());
  const [decision] = (await task.status()).decisions;
  if (decision?.kind !== 'escalation') throw new Error('nobody was asked');
  expect(decision.files).toEqual([
    { path: 'new.txt', state: 'created', lines: 3 },
    { path: 'old.txt', state: 'deleted', lines: 0 },
    { path: 'kept.txt', state: 'modified', lines: 2 },
  ]);
  const said =
    'Left changed by failed attempts: new.txt (created, 3 lines), old.txt (deleted) and kept.txt (modified, 2 lines).';
  expect(renderDecision(task.id, decision, plain).join('\n')).toContain(said);
  expect(await currentDetailsOf(rig.temporal, task.workflowId)).toContain('Left changed by failed attempts: new');
  const prompt = readFileSync(join(workspace, '..', `prompt-${basename(workspace)}-2.txt`), 'utf8');
  expect(prompt).toContain('<files_affected>new.txt (created, 2 lines); old.txt (deleted, 0 lines)</files_affected>');
  expect((await task.attempts()).map(({ filesAffected }) => filesAffected.map(({ path }) => path))).toEqual([
    ['new.txt', 'old.txt'],
    ['kept.txt', 'new.txt'],
  ]);
});

test('after checks that failed too; nothing where nothing was left', async () => {
  const workspace = rig.workspace();
  const ladder = [{ tier: 'assigned' as const }, { person: true }];
  const task = await rig.start(
    shellPlan(
      {
        half: { sh: 'echo x > a.txt; echo y > b.txt; echo done', deliverables: ['a.txt'], verify: ['exit 1'] },
        none: { sh: 'echo broken >&2; exit 1', dependsOn: ['half'] },
      },
      { workspace, ladder },
    ),
  );
  await eventOf(task, decisionOpened('half-1'));
  await task.decide({ decisionId: 'half-1', option: 'skip' });
  await eventOf(task, decisionOpened('none-1'));
  const asked = (await task.events()).flatMap((event) => (event.type === 'decision.opened' ? [event.decision] : []));
  expect(asked.map((decision) => ('files' in decision ? decision.files : undefined))).toEqual([
    [
      { path: 'a.txt', state: 'created', lines: 1 },
      { path: 'b.txt', state: 'created', lines: 1 },
    ],
    [],
  ]);
});

test('of two that run at once, only what is surely its own', async () => {
  const workspace = rig.workspace();
  const ladder = [{ tier: 'assigned' as const }, { person: true }];
  const sh =
    'until [ -e up.txt ]; do sleep 0.05; done; echo x > mine.txt; echo x > either.txt; echo broken >&2; exit 1';
  const task = await rig.start(
    shellPlan(
      {
        bad: { sh, deliverables: ['mine.txt'] },
        good: { sh: 'touch up.txt; until [ -e go ]; do sleep 0.05; done; echo done' },
      },
      { workspace, ladder },
    ),
  );
  await eventOf(task, decisionOpened('bad-1'));
  const [decision] = (await task.status()).decisions;
  expect(decision).toMatchObject({ files: [{ path: 'mine.txt', state: 'created', lines: 1 }] });
  writeFileSync(join(workspace, 'go'), '');
  await task.decide({ decisionId: 'bad-1', option: 'skip' });
  expect(await endOf(task)).toBe('completed');
});

test('a cancelled attempt says in its record what it left', async () => {
  const workspace = rig.workspace();
  const task = await rig.start(shellPlan({ work: { sh: `${witness}; echo x > half.txt; sleep 600` } }, { workspace }));
  await until(() => linesOf(join(workspace, 'half.txt')).length === 1);
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
  const [attempt] = await task.attempts();
  expect(attempt).toMatchObject({ outcome: 'cancelled' });
  expect(attempt?.filesAffected).toContainEqual({ path: 'half.txt', state: 'created', lines: 1 });
});
