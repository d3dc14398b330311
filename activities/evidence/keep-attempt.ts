import { realpath } from 'node:fs/promises';

import { evidenceLimits } from '../../domain/evidence/limits.ts';
import { lastNumber, mergeAttempt, ofOtherAttempts } from '../../domain/evidence/merge-attempt.ts';
import type { InputRef } from '../../domain/types/attempt.ts';
import type { EvidenceDraft, EvidencePage, EvidenceRecord, InheritedPage } from '../../domain/types/basic/evidence.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { confirmRecords, type NumberedDraft } from './confirm-records.ts';
import type { SourceRead } from './list-reads.ts';
import { OwnWrites, type WritingAttempt } from './own-writes.ts';
import { loadEvidence, storeEvidence } from './pages.ts';

/** The attempt that gave records, where it worked, and what else it could read. */
export interface KeptAttempt extends WritingAttempt {
  readRoots: readonly string[];
}

export interface KeepParts {
  store: Pick<Store, 'get' | 'put'>;
  /** Heddle's home. */
  root: string;
  environment: PublicEnvironment;
  redact: (text: string) => string;
}

export interface GivenRecords {
  by: EvidenceRecord['by'];
  /** Those with a number were told it. */
  drafts: readonly (EvidenceDraft & { number?: number })[];
  reads?: readonly SourceRead[];
  otherReads?: () => Promise<readonly SourceRead[]>;
}

/** The page of a subtask before an attempt: its earlier records, and what its dependencies hand down. */
export async function openPage(
  store: Pick<Store, 'get'>,
  { subtaskId, evidence, inputs }: { subtaskId: string; evidence?: Ref | undefined; inputs: readonly InputRef[] },
): Promise<EvidencePage> {
  const page = await loadEvidence(store, evidence, subtaskId);
  return { ...page, inherited: await inherit(store, inputs) };
}

/** The pages of the dependencies and those that they inherited, the nearest first; a subtask that several hand down counts once. */
async function inherit(store: Pick<Store, 'get'>, dependencies: readonly InputRef[]): Promise<InheritedPage[]> {
  const direct = dependencies.flatMap(({ id, evidence }) =>
    evidence === undefined ? [] : [{ subtask: id, page: evidence }],
  );
  const pages = new Map(direct.map((each) => [each.subtask, each]));
  for (const { subtask, page } of direct) {
    for (const further of (await loadEvidence(store, page, subtask)).inherited)
      if (!pages.has(further.subtask)) pages.set(further.subtask, further);
  }
  return [...pages.values()].slice(0, evidenceLimits.inherited);
}

/** Confirms what an attempt recorded and keeps it beside the records before it; undefined where there is nothing to keep. */
export async function keepAttempt(
  parts: KeepParts,
  attempt: KeptAttempt,
  { page, given }: { page: EvidencePage; given: GivenRecords },
): Promise<Ref | undefined> {
  const { store, root, environment, redact } = parts;
  const key = { task: attempt.taskId, attempt: attempt.attempt };
  const earlier = ofOtherAttempts(page.records, key);
  // An agent tells all its records again at each end, a program only those of its last execution.
  const before = given.by === 'agent' ? earlier : page.records;
  if (given.drafts.length === 0) return storeEvidence(store, { ...page, records: before });
  const writes = new OwnWrites({ root, environment }, attempt);
  const own = await confirmRecords(number(given.drafts, lastNumber(before)), {
    folder: await realpath(attempt.folder).catch(() => attempt.folder),
    readRoots: attempt.readRoots,
    environment,
    began: () => writes.began(),
    about: { ...key, subtask: attempt.subtaskId, by: given.by, at: attempt.startedAt },
    reads: given.reads ?? [],
    otherReads: given.otherReads ?? (() => Promise.resolve([])),
    isOwnWork: (real) => writes.includes(real),
    redact,
  });
  return storeEvidence(store, { ...page, records: mergeAttempt(before, own) });
}

function number(drafts: GivenRecords['drafts'], after: number): NumberedDraft[] {
  const room = drafts.slice(0, evidenceLimits.records);
  return room.map((draft, index) => ({ ...draft, number: draft.number ?? after + index + 1 }));
}
