import { expect, test } from 'vitest';
import { disputeEvidence } from '../../../domain/evidence/dispute.ts';
import { emptyPage } from '../../../domain/evidence/page.ts';
import type { EvidenceRecord } from '../../../domain/types/basic/evidence.ts';

const record: EvidenceRecord = {
  id: 'gather/E1',
  claim: 'It costs 12 euros.',
  source: { kind: 'file', at: 'prices.md' },
  quality: 'sourced',
  by: 'agent',
  subtask: 'gather',
  attempt: 1,
  task: 't1',
  at: '2026-11-19T10:00:00.000Z',
};
const page = { ...emptyPage('gather'), records: [record, { ...record, id: 'gather/E12', claim: 'short' }] };

test.each<[string, string, string[], string[]]>([
  ['its mark', 'gather/E1 has no second source', ['gather/E1'], []],
  ['its mark without the subtask, in brackets', 'look at [E12], please', ['gather/E12'], []],
  ['its claim', 'it costs  12 Euros', ['gather/E1'], []],
  ['its claim in a sentence', 'Nothing shows that it costs 12 euros today', ['gather/E1'], []],
  ['nothing that is recorded', 'the notice period is short of proof', [], ['the notice period is short of proof']],
])('a judge disputes a record by %s', (_, text, disputed, missing) => {
  const after = disputeEvidence(page, [text, ` ${text} `]);
  expect(after.records.filter(({ quality }) => quality === 'disputed').map(({ id }) => id)).toEqual(disputed);
  expect(after.missing).toEqual(missing.map((target) => ({ target, lacks: 1, by: 'judge' })));
});
