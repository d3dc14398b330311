import { listNeeds } from '../executors/kinds.ts';
import { defaultContext, type ContextRules } from '../types/basic/compaction-rules.ts';
import type { Subtask } from '../types/subtask.ts';
import type { Config } from '../schema/config-schema.ts';

/** Returns the compaction rules of the config that differ from the defaults, which are frozen with the plan. */
export function selectContextRules(
  subtasks: readonly Subtask[],
  config: Pick<Config, 'context' | 'limits'>,
): Partial<ContextRules> {
  if (subtasks.every(({ executor }) => listNeeds(executor).models.length === 0)) return {};
  const rules = orderShares(readContextRules(config));
  const changed = Object.entries(rules).filter(([key, value]) => Reflect.get(defaultContext, key) !== value);
  return Object.fromEntries(changed);
}

function readContextRules({ context = {}, limits = {} }: Pick<Config, 'context' | 'limits'>): ContextRules {
  return {
    mode: context.mode ?? defaultContext.mode,
    soft: limits.contextSoft ?? defaultContext.soft,
    hard: limits.contextHard ?? defaultContext.hard,
    target: limits.contextTarget ?? defaultContext.target,
    floor: limits.contextFloor ?? defaultContext.floor,
    gain: limits.contextGain ?? defaultContext.gain,
    pause: limits.contextPause ?? defaultContext.pause,
    summaries: limits.contextSummaries ?? defaultContext.summaries,
  };
}

/** Two layers may each set one half of a pair that contradicts itself: the share at which compaction begins wins. */
function orderShares(rules: ContextRules): ContextRules {
  const target = Math.min(rules.target, rules.soft);
  return { ...rules, hard: Math.max(rules.hard, rules.soft), target, floor: Math.min(rules.floor, target) };
}
