import type { Exchange } from '../conversation/exchange.ts';
import type { Message } from '../conversation/message.ts';
import type { ContextRules } from '../types/basic/compaction-rules.ts';
import { computeDepth, compactExchange, stages, type Stage } from './compact-exchange.ts';
import type { CompactionState } from './request-messages.ts';

/** What is to get shorter. All numbers are estimated tokens. */
export interface Situation {
  /** The last one is never touched: the model has not seen what it was answered. */
  exchanges: readonly Exchange[];
  folded: CompactionState;
  readable: boolean;
  measure: (messages: readonly Message[]) => number;
  /** Of the request: what no fold changes, the summary of merged turns not among it. */
  fixed: number;
  /** What a request may have. */
  budget: number;
  rules: ContextRules;
  /** It must get shorter: nothing is saved on, and turns are merged where shortening them is not enough. */
  must: boolean;
  /** Shortening ends below this many tokens. */
  target: number;
  /** Place for a new summary. */
  summary: number;
}

/** How far to fold. `merge`: up to this turn, a summary is needed first. */
export interface CompactionPlan {
  upTo: Record<Stage, number>;
  merge?: number;
}

/** As little as brings the request below its target: first what is long in old turns, stage by stage, then old turns as a whole. */
export function planCompaction(given: Situation): CompactionPlan | undefined {
  const { rules, budget, must, target } = given;
  let { upTo } = given.folded;
  let size = measureRequest(given, upTo);
  for (const stage of stages) {
    if (size <= target) break;
    const next = advance(stage, upTo, size, given);
    // Too little to be worth a beginning that no provider's cache knows.
    if (size - next.size < (must ? 1 : rules.gain * budget)) continue;
    ({ upTo, size } = next);
  }
  const merge = must && size > Math.max(target, rules.soft * budget) ? mergedUpTo(upTo, given) : undefined;
  const isChanged = upTo !== given.folded.upTo || merge !== undefined;
  return isChanged ? { upTo, ...(merge === undefined ? {} : { merge }) } : undefined;
}

type UpTo = CompactionState['upTo'];

/** Turn by turn from the oldest on. */
function advance(stage: Stage, from: UpTo, before: number, given: Situation): { upTo: UpTo; size: number } {
  const { rules, budget, target } = given;
  let [upTo, size] = [from, before];
  for (const exchange of oldIn(given)) {
    if (exchange.n <= upTo[stage]) continue;
    if (size <= target) break;
    const next = { ...upTo, [stage]: exchange.n };
    const after = size - measured(exchange, upTo, given) + measured(exchange, next, given);
    // A step that does more than anybody needs loses what may still be of use.
    if (after < rules.floor * budget && size < rules.soft * budget) break;
    [upTo, size] = [next, after];
  }
  return { upTo: size < before ? upTo : from, size };
}

/** The fewest turns whose summary makes the rest small enough; all that may be merged where none does. */
function mergedUpTo(upTo: UpTo, given: Situation): number | undefined {
  const { fixed, summary, target, folded } = given;
  const old = oldIn(given);
  const last = given.exchanges.at(-1);
  let rest = old.reduce((sum, exchange) => sum + measured(exchange, upTo, given), 0);
  rest += last === undefined ? 0 : measured(last, upTo, given);
  let merged: number | undefined;
  for (const exchange of old) {
    if (fixed + summary + rest <= target) break;
    rest -= measured(exchange, upTo, given);
    if (exchange.n > folded.upTo.merged) merged = exchange.n;
  }
  return merged;
}

/** Not merged yet, and not the last. */
const oldIn = ({ exchanges, folded }: Situation): Exchange[] =>
  exchanges.slice(0, -1).filter(({ n }) => n > folded.upTo.merged || (n === 0 && folded.upTo.merged === 0));

const measured = (exchange: Exchange, upTo: UpTo, { measure, readable }: Situation): number =>
  measure(compactExchange(exchange, computeDepth(exchange, upTo), readable));

function measureRequest(given: Situation, upTo: UpTo): number {
  const { exchanges, folded, fixed, measure } = given;
  const summary = folded.text === '' ? 0 : measure([{ from: 'user', text: folded.text }]);
  const last = exchanges.slice(-1);
  const turns = [...oldIn(given), ...last].reduce((sum, exchange) => sum + measured(exchange, upTo, given), 0);
  return fixed + summary + turns;
}
