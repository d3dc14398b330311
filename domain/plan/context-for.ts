import { needsOf } from '../executors/kinds.ts';
import { defaultContext, type ContextRules } from '../types/basic/compaction-rules.ts';
import type { Subtask } from '../types/subtask.ts';
import type { Config } from '../schema/config-schema.ts';

/** How long conversations of a plan's agents are kept short: what the config says otherwise than by default, frozen with the plan. */
export function contextFor(
  subtasks: readonly Subtask[],
  config: Pick<Config, 'context' | 'limits'>,
): Partial<ContextRules> {
  if (subtasks.every(({ executor }) => needsOf(executor).models.length === 0)) return {};
  const rules = inOrder(rulesIn(config));
  const changed = Object.entries(rules).filter(([key, value]) => Reflect.get(defaultContext, key) !== value);
  return Object.fromEntries(changed);
}

function rulesIn({ context = {}, limits = {} }: Pick<Config, 'context' | 'limits'>): ContextRules {
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

/** Two layers may each say one half of what makes no sense together: the share at which folding begins counts. */
function inOrder(rules: ContextRules): ContextRules {
  const target = Math.min(rules.target, rules.soft);
  return { ...rules, hard: Math.max(rules.hard, rules.soft), target, floor: Math.min(rules.floor, target) };
}
