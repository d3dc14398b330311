import type { Exchange } from '../conversation/exchange.ts';
import type { Message } from '../conversation/message.ts';
import type { ContextRules } from '../types/basic/compaction-rules.ts';
import { computeDepth, compactExchange, stages, type Stage } from './compact-exchange.ts';
import type { CompactionState } from './request-messages.ts';

/** The conversation to shorten. All numbers are estimated tokens. */
export interface CompactionInput {
  /** The last exchange is never shortened, because the model has not seen its results. */
  exchanges: readonly Exchange[];
  state: CompactionState;
  readable: boolean;
  measure: (messages: readonly Message[]) => number;
  /** The tokens of the request that no compaction changes, without the summary of merged turns. */
  fixed: number;
  /** The tokens that a request may have. */
  budget: number;
  rules: ContextRules;
  /** The request does not fit: small gains count too, and turns are merged where shortening is not enough. */
  must: boolean;
  /** Shortening ends below this number of tokens. */
  target: number;
  /** The room for a new summary. */
  summary: number;
}

/** How far to compact. With `merge`, a summary up to that turn is needed first. */
export interface CompactionPlan {
  upTo: Record<Stage, number>;
  merge?: number;
}

/** Shortens only as much as the target needs: first long parts of old turns, stage by stage, then old turns as a whole. */
export function planCompaction(given: CompactionInput): CompactionPlan | undefined {
  const { rules, budget, must, target } = given;
  let { upTo } = given.state;
  let size = measureRequest(given, upTo);
  for (const stage of stages) {
    if (size <= target) break;
    const next = advance(stage, upTo, size, given);
    // A gain this small is not worth the loss of the provider's cache.
    if (size - next.size < (must ? 1 : rules.gain * budget)) continue;
    ({ upTo, size } = next);
  }
  const merge = must && size > Math.max(target, rules.soft * budget) ? findMergeEnd(upTo, given) : undefined;
  const isChanged = upTo !== given.state.upTo || merge !== undefined;
  return isChanged ? { upTo, ...(merge === undefined ? {} : { merge }) } : undefined;
}

type UpTo = CompactionState['upTo'];

/** Shortens turn by turn, from the oldest on. */
function advance(stage: Stage, from: UpTo, before: number, given: CompactionInput): { upTo: UpTo; size: number } {
  const { rules, budget, target } = given;
  let [upTo, size] = [from, before];
  for (const exchange of listUnmerged(given)) {
    if (exchange.n <= upTo[stage]) continue;
    if (size <= target) break;
    const next = { ...upTo, [stage]: exchange.n };
    const after = size - measureExchange(exchange, upTo, given) + measureExchange(exchange, next, given);
    // A step that saves far more than needed would lose text that may still be useful.
    if (after < rules.floor * budget && size < rules.soft * budget) break;
    [upTo, size] = [next, after];
  }
  return { upTo: size < before ? upTo : from, size };
}

/** Finds the fewest turns whose summary makes the rest small enough; if none do, all turns that may be merged. */
function findMergeEnd(upTo: UpTo, given: CompactionInput): number | undefined {
  const { fixed, summary, target, state } = given;
  const old = listUnmerged(given);
  const last = given.exchanges.at(-1);
  let rest = old.reduce((sum, exchange) => sum + measureExchange(exchange, upTo, given), 0);
  rest += last === undefined ? 0 : measureExchange(last, upTo, given);
  let merged: number | undefined;
  for (const exchange of old) {
    if (fixed + summary + rest <= target) break;
    rest -= measureExchange(exchange, upTo, given);
    if (exchange.n > state.upTo.merged) merged = exchange.n;
  }
  return merged;
}

/** Lists the exchanges that are not merged yet, without the last. */
const listUnmerged = ({ exchanges, state }: CompactionInput): Exchange[] =>
  exchanges.slice(0, -1).filter(({ n }) => n > state.upTo.merged || (n === 0 && state.upTo.merged === 0));

const measureExchange = (exchange: Exchange, upTo: UpTo, { measure, readable }: CompactionInput): number =>
  measure(compactExchange(exchange, computeDepth(exchange, upTo), readable));

function measureRequest(given: CompactionInput, upTo: UpTo): number {
  const { exchanges, state, fixed, measure } = given;
  const summary = state.text === '' ? 0 : measure([{ from: 'user', text: state.text }]);
  const last = exchanges.slice(-1);
  const turns = [...listUnmerged(given), ...last].reduce(
    (sum, exchange) => sum + measureExchange(exchange, upTo, given),
    0,
  );
  return fixed + summary + turns;
}
