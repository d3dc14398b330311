import type { EvidencePage, EvidenceQuality, EvidenceRecord } from '../types/basic/evidence.ts';

/** Figures of a task's evidence, for its report. */
export interface EvidenceFigures {
  records: number;
  byQuality: Record<EvidenceQuality, number>;
  missing: { subtask: string; target: string; lacks: number }[];
  /** Claims whose quote was not found and for which a later attempt found support. */
  repaired: { subtask: string; claim: string; by: string }[];
  /** Claims whose quote was not found and that no later attempt supported. */
  pruned: { subtask: string; claim: string }[];
}

const none: Record<EvidenceQuality, number> = {
  confirmed: 0,
  sourced: 0,
  claimed: 0,
  'not-found': 0,
  disputed: 0,
  pruned: 0,
};

/** Counts the evidence of a task; undefined where there is none. */
export function countEvidence(pages: readonly EvidencePage[]): EvidenceFigures | undefined {
  const missing = pages.flatMap(({ subtask, missing: own }) =>
    own.map(({ target, lacks }) => ({ subtask, target, lacks })),
  );
  const records = pages.flatMap((page) => page.records);
  if (records.length + missing.length === 0) return undefined;
  return { records: records.length, byQuality: countByQuality(records), missing, ...listSettled(records) };
}

export function countByQuality(records: readonly EvidenceRecord[]): Record<EvidenceQuality, number> {
  const byQuality = { ...none };
  for (const { quality } of records) byQuality[quality] += 1;
  return byQuality;
}

function listSettled(records: readonly EvidenceRecord[]): Pick<EvidenceFigures, 'repaired' | 'pruned'> {
  const settled = records.filter(({ quality }) => quality === 'pruned');
  return {
    repaired: settled.flatMap(({ subtask, claim, repairedBy }) =>
      repairedBy === undefined ? [] : [{ subtask, claim, by: repairedBy }],
    ),
    pruned: settled.flatMap(({ subtask, claim, repairedBy }) => (repairedBy === undefined ? [{ subtask, claim }] : [])),
  };
}
