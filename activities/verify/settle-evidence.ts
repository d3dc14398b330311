import { realpath } from 'node:fs/promises';

import { confirmedTargets } from '../../domain/evidence/confirmed-targets.ts';
import { settleUnconfirmed } from '../../domain/evidence/merge-attempt.ts';
import { findMissingTargets } from '../../domain/evidence/support.ts';
import type { VerifyInput } from '../../domain/types/attempt.ts';
import type { OwedTarget, EvidenceRecord, EvidenceRules, TargetRules } from '../../domain/types/basic/evidence.ts';
import type { InheritedPage, MissingTarget } from '../../domain/types/basic/evidence.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { loadEvidence, storeEvidence } from '../evidence/pages.ts';
import type { Store } from '../store/store.ts';
import type { Findings } from './bound-findings.ts';
import type { EvidenceSubject } from './checks/check.ts';
import { loadTargets } from './checks/check-evidence.ts';

/** Collects the records that the check of an attempt needs; undefined where it has none and owes none. */
export async function gatherSubject(
  store: Pick<Store, 'get'>,
  { taskId, subtaskId, attempt, execution, shared, owed }: VerifyInput,
  { evidence: rules }: Pick<Subtask, 'evidence'>,
): Promise<EvidenceSubject | undefined> {
  if (rules === undefined && execution.evidence === undefined) return undefined;
  const page = await loadEvidence(store, execution.evidence, subtaskId);
  const inherited = rules?.citations === true ? await loadRecords(store, page.inherited) : [];
  return {
    ...{ task: taskId, subtask: subtaskId, attempt, page },
    citable: [...page.records, ...inherited],
    ...(owed === undefined ? {} : { mayBeAbsent: true as const }),
    ...(shared === undefined ? {} : { shared: [...page.records, ...(await loadRecords(store, shared.pages))] }),
  };
}

async function loadRecords(store: Pick<Store, 'get'>, pages: readonly InheritedPage[]): Promise<EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  // One after the other: a plan may have thousands.
  for (const { subtask, page } of pages) records.push(...(await loadEvidence(store, page, subtask)).records);
  return records;
}

/** Targets of a remediation item for which this attempt has a record that rests on a source. */
export const findConfirmed = ({ page, task, attempt }: EvidenceSubject, owed: readonly string[]): string[] =>
  confirmedTargets(
    owed,
    page.records.filter((record) => record.task === task),
    attempt,
  );

/** Keeps what the check found beside the records: targets that are missing, and what became of made-up quotes before an attempt that passed. */
export async function settleEvidence(
  store: Pick<Store, 'put'>,
  { task, attempt, page, shared }: EvidenceSubject,
  { rules, workspace, findings }: { rules: EvidenceRules | undefined; workspace: string; findings: Findings },
): Promise<Ref | undefined> {
  const records = findings.outcome === 'fail' ? page.records : settleUnconfirmed(page.records, { task, attempt });
  const root = await realpath(workspace);
  const own = rules === undefined ? noTargets : await compare(root, rules, records);
  const all =
    rules?.shared === undefined || shared === undefined ? noTargets : await compare(root, rules.shared, shared);
  return storeEvidence(store, {
    ...page,
    records,
    missing: [...own.missing, ...all.missing],
    targets: [...own.targets, ...all.targets],
  });
}

interface Compared {
  targets: OwedTarget[];
  missing: MissingTarget[];
}

const noTargets: Compared = { targets: [], missing: [] };

async function compare(root: string, rules: TargetRules, records: readonly EvidenceRecord[]): Promise<Compared> {
  const texts = await loadTargets(root, rules);
  if (typeof texts === 'string') return noTargets;
  const { each, quotes } = rules;
  return {
    targets: texts.map((target) => ({ target, each, quotes })),
    missing: findMissingTargets(records, { targets: texts, each, quotes }),
  };
}
