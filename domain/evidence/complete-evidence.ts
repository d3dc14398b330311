import type { PlannedEvidence } from '../schema/evidence-schema.ts';
import type { EvidenceRules, TargetRules } from '../types/basic/evidence.ts';

/** The keys of a plan that say what evidence is owed. */
interface PlannedTask {
  evidence?: PlannedEvidence | undefined;
  subtasks: readonly { id: string; evidence?: PlannedEvidence | undefined }[];
}

const defaultLedger = 'evidence-ledger.csv';

/** Fills in the evidence that a subtask owes by its own keys and by those of its plan; undefined where nothing asks for any. */
export function completeEvidence(
  { id, evidence: own }: { id: string; evidence?: PlannedEvidence | undefined },
  { evidence: all }: { evidence?: PlannedEvidence | undefined },
): EvidenceRules | undefined {
  const task = all === undefined || all.phases?.includes(id) === false ? undefined : all;
  if (own === undefined && task === undefined) return undefined;
  const shared = task === undefined || !hasTargets(task) ? undefined : buildTargets(task);
  return {
    ...buildTargets({ each: task?.each, quotes: task?.quotes, ...defined(own) }),
    citations: own?.citations ?? task?.citations ?? false,
    ledger: own?.ledger ?? all?.ledger ?? defaultLedger,
    ...(shared === undefined ? {} : { shared }),
  };
}

/** The file for records of subtasks that name none; undefined where no evidence is asked for, or no file is wanted. */
export function completeLedger({ evidence, subtasks }: PlannedTask): string | undefined {
  const first = subtasks.find((subtask) => subtask.evidence !== undefined)?.evidence;
  if (evidence === undefined && first === undefined) return undefined;
  const ledger = (evidence ?? first)?.ledger ?? defaultLedger;
  return ledger === false ? undefined : ledger;
}

const hasTargets = ({ targets = [], targetsFrom }: PlannedEvidence): boolean =>
  targets.length > 0 || targetsFrom !== undefined;

type GivenTargets = { [Key in keyof TargetRules]?: TargetRules[Key] | undefined };

function buildTargets({ each, quotes, targets, targetsFrom }: GivenTargets): TargetRules {
  return {
    each: each ?? 1,
    quotes: quotes ?? 'optional',
    targets: [...new Set(targets ?? [])],
    ...(targetsFrom === undefined ? {} : { targetsFrom }),
  };
}

/** Keys that are absent must not hide those of the plan. */
function defined(given: PlannedEvidence | undefined): GivenTargets {
  if (given === undefined) return {};
  const { each, quotes, targets, targetsFrom } = given;
  return {
    ...(each === undefined ? {} : { each }),
    ...(quotes === undefined ? {} : { quotes }),
    ...(targets === undefined ? {} : { targets }),
    ...(targetsFrom === undefined ? {} : { targetsFrom }),
  };
}
