import { foldName } from './fold-text.ts';

/** The facts of an evidence record that decide whether it answers a target. */
export interface TargetEvidence {
  claim: string;
  target?: string;
  quality: 'confirmed' | 'sourced' | 'claimed' | 'not-found' | 'disputed' | 'pruned';
  /** The attempt that made it. */
  attempt: number;
}

/**
 * Finds the targets for which an attempt has a record of its own that rests on a source: what is known of them is new.
 *
 * @public
 */
export function confirmedTargets(
  targets: readonly string[],
  records: readonly TargetEvidence[],
  attempt: number,
): string[] {
  const answered = new Set(
    records
      .filter(
        (record) => record.attempt === attempt && (record.quality === 'confirmed' || record.quality === 'sourced'),
      )
      .flatMap(({ claim, target }) => [claim, ...(target === undefined ? [] : [target])].map(foldTarget)),
  );
  return targets.filter((target) => answered.has(foldTarget(target)));
}

/** Two texts name one target where only white space, case and the last mark differ. */
export const foldTarget = foldName;
