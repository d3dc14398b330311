import { limits } from '../limits/domain-limits.ts';
import { defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';
import type { Climb, KnownFix, Ladder, LadderStep, Step } from '../types/ladder.ts';
import type { Rung, Tier } from '../types/subtask.ts';

const toTier = (n: number): Tier => (n <= 1 ? 1 : n === 2 ? 2 : 3);

/** Leaves out the rungs that would only repeat the one before them; a rung that adds feedback, or starts from clean files, stays. */
export function reduceLadder(rungs: readonly Rung[], assigned: Tier): Ladder {
  const steps: Step[] = [];
  let person = false;
  for (const [index, rung] of rungs.entries()) {
    if (rung.person) {
      person = true;
      continue;
    }
    const before = steps.at(-1);
    const tier = resolveTier(rung.tier, assigned, before?.tier ?? assigned);
    const repeats = before !== undefined && before.tier === tier && before.thinking === rung.thinking;
    if (repeats && !rung.feedback && rung.restore !== true) continue;
    steps.push({
      rung: index + 1,
      tier,
      thinking: rung.thinking,
      retry: rung.retry,
      ...(rung.timeout === undefined ? {} : { timeout: rung.timeout }),
      ...(rung.output === undefined ? {} : { output: rung.output }),
      ...(rung.restore === true ? { restore: true } : {}),
    });
  }
  return { steps, person };
}

/** A tier never falls below the one of the rung before. */
function resolveTier(tier: Rung['tier'], assigned: Tier, before: Tier): Tier {
  switch (tier) {
    case 'assigned':
      return toTier(Math.max(assigned, before));
    case 'next':
      return toTier(Math.min(before + 1, limits.highestTier));
    case 'highest':
      return toTier(limits.highestTier);
    default:
      return toTier(Math.max(tier, before));
  }
}

export function firstClimb(maxAttempts: number): Climb {
  return { step: 0, counts: {}, tierFailures: 0, attempts: 0, maxAttempts };
}

/**
 * Counts a failed attempt and says what comes next. The n-th failure of a signature asks for step n + 1; the larger of that
 * and the step reached is taken, so the tier never falls, the same failure climbs at once, and a new one stays.
 */
export function climbAfter(
  ladder: Ladder,
  climb: Climb,
  failure: { signature: string; tries?: number; triesPerTier?: number },
  fix?: KnownFix,
): LadderStep {
  const { triesPerTier = defaultTaskLimits.triesPerTier } = failure;
  const count = (climb.counts[failure.signature] ?? 0) + 1;
  const counted: Climb = {
    ...climb,
    counts: { ...climb.counts, [failure.signature]: count },
    tierFailures: climb.tierFailures + 1,
  };
  if (climb.attempts >= climb.maxAttempts) return atTheTop(ladder, 'max-attempts');

  const remembered = stepOfRung(ladder, fix?.rung);
  const above = stepAfterTier(ladder, climb.step);
  // A recovery strategy may climb earlier, but it never ends the ladder: at the top it cannot take away attempts.
  const tries =
    above < ladder.steps.length ? (failure.tries ?? triesPerTier) : Math.max(failure.tries ?? 0, triesPerTier);
  const worn = counted.tierFailures >= tries ? above : climb.step;
  const step = Math.max(climb.step, count, remembered, worn);
  if (step >= ladder.steps.length) return atTheTop(ladder, 'ladder');

  const moved = !sameStrength(ladder.steps[climb.step], ladder.steps[step]);
  return {
    kind: 'climb',
    climb: { ...counted, step, tierFailures: moved ? 0 : counted.tierFailures },
    strategy:
      fix !== undefined && step === remembered && climb.step < step
        ? 'remembered'
        : !moved
          ? 'feedback'
          : ladder.steps[step]?.thinking
            ? 'strongest'
            : 'stronger',
    ...(fix?.hint === undefined ? {} : { hint: fix.hint }),
  };
}

type AnswerLimits = Pick<TaskLimits, 'attemptsPerAnswer' | 'triesPerTier'>;

/** A person's answer is new information: the rung stays, the counts begin again, some more attempts are given. */
export function climbAfterAnswer(
  climb: Climb,
  { attemptsPerAnswer }: Pick<AnswerLimits, 'attemptsPerAnswer'> = defaultTaskLimits,
): Climb {
  return {
    ...climb,
    counts: {},
    tierFailures: 0,
    maxAttempts: Math.max(climb.maxAttempts, climb.attempts) + attemptsPerAnswer,
  };
}

/** The changes of a new plan to the climb of a subtask. */
interface Retargeting {
  before: Ladder;
  after: Ladder;
  maxAttempts: number;
}

/**
 * Another target is new information too: attempts and failures are counted on, the rung is the one reached or the next above it, and there is room
 * for as many attempts as after an answer.
 */
export function climbAfterReplan(
  climb: Climb,
  { before, after, maxAttempts }: Retargeting,
  { attemptsPerAnswer }: Pick<AnswerLimits, 'attemptsPerAnswer'> = defaultTaskLimits,
): Climb {
  if (climb.attempts === 0) return firstClimb(maxAttempts);
  const step = stepOfRung(after, before.steps[climb.step]?.rung);
  return { ...climb, step, maxAttempts: Math.max(maxAttempts, climb.attempts + attemptsPerAnswer) };
}

/** At most so many attempts follow an answer before a person is asked again. */
export function attemptsAfterAnswer(ladder: Ladder, climb: Climb, most: AnswerLimits = defaultTaskLimits): number {
  const { attempts, maxAttempts } = climbAfterAnswer(climb, most);
  const atLastTier = stepAfterTier(ladder, climb.step) >= ladder.steps.length;
  return Math.min(maxAttempts - attempts, atLastTier ? most.triesPerTier : Infinity);
}

function atTheTop(ladder: Ladder, because: 'ladder' | 'max-attempts'): LadderStep {
  return { kind: ladder.person ? 'person' : 'fail', because };
}

const sameStrength = (a: Step | undefined, b: Step | undefined): boolean =>
  a?.tier === b?.tier && a?.thinking === b?.thinking;

/** The first step with another tier or thinking than the given one. */
function stepAfterTier(ladder: Ladder, from: number): number {
  let step = from + 1;
  while (step < ladder.steps.length && sameStrength(ladder.steps[from], ladder.steps[step])) step += 1;
  return step;
}

/** A remembered rung that this ladder leaves out counts as the next one above it, never as the person. */
function stepOfRung(ladder: Ladder, rung: number | undefined): number {
  if (rung === undefined) return 0;
  const step = ladder.steps.findIndex((candidate) => candidate.rung >= rung);
  return step === -1 ? ladder.steps.length - 1 : step;
}
