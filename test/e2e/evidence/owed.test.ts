// Evidence that is owed: a try that records it confirms the target, and one that looked in vain takes the claim out.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { pagesOf } from './support.ts';

const rig = useRig();

const line = (record: Record<string, string>): string =>
  `printf '%s\\n' '${JSON.stringify(record)}' >> "$HEDDLE_EVIDENCE_FILE"`;
const inTry = (command: string): string => `cat > prompt-$HEDDLE_SUBTASK_ID-$HEDDLE_ATTEMPT.txt
[ $HEDDLE_ATTEMPT = 1 ] || { ${command}; }; echo done`;

test('a try confirms a target by a new record, or finds that there is none', async () => {
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'data.txt'), 'alpha one\n');
  const owes = {
    evidence: { targets: ['first'], quotes: 'required' as const, ledger: false as const },
    remediation: { policy: 'confirm-or-prune-then-queue' as const },
    maxAttempts: 1,
  };
  const task = await rig.start(
    shellPlan(
      {
        found: { ...owes, sh: inTry(line({ text: 'a', source: 'data.txt', quote: 'alpha one', target: 'First.' })) },
        vain: { ...owes, sh: inTry(line({ text: 'b', source: 'none', target: 'first' })) },
      },
      { workspace, ladder: [{ tier: 'assigned' }] },
    ),
  );
  expect(await endOf(task)).toBe('completed');
  const done = (await task.events()).flatMap((event) =>
    event.type === 'remediation.done' ? [[event.subtask, event.how]] : [],
  );
  expect(done.sort()).toEqual([
    ['found', 'confirmed'],
    ['vain', 'pruned'],
  ]);
  const attempts = await task.attempts();
  const verdicts = attempts.map(({ subtask, attempt, verdict }) => `${subtask} ${attempt} ${verdict}`).sort();
  expect(verdicts).toEqual(['found 1 fail', 'found 2 pass', 'vain 1 fail', 'vain 2 pass-with-warnings']);
  expect(readFileSync(join(workspace, 'prompt-vain-2.txt'), 'utf8')).toContain('<missing_evidence>');
  expect((await pagesOf(rig, task)).map(({ records }) => records.map(({ quality }) => quality))).toEqual([
    ['confirmed'],
    ['not-found'],
  ]);
});
