import type { LogEntryOf, TurnInput } from '../../../domain/conversation/entry.ts';
import type { Exchange } from '../../../domain/conversation/exchange.ts';
import type { Message } from '../../../domain/conversation/message.ts';
import { planCompaction } from '../../../domain/compaction/plan-compaction.ts';
import {
  assessPressure,
  contextRulesOf,
  estimateWindow,
  type Window,
} from '../../../domain/compaction/window-pressure.ts';
import {
  lastCompaction,
  isReadable,
  requestMessages,
  type CompactionState,
} from '../../../domain/compaction/request-messages.ts';
import { writeSummary, type ModelSummary } from '../../../domain/compaction/summary.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { ContextRules } from '../../../domain/types/basic/compaction-rules.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { chooseThinkingTokens } from '../../llm/provider/thinking.ts';
import { askCompactor, type MergedSummary } from './ask-compactor.ts';
import type { CompactionParts } from './compaction-log.ts';

/** A request that fits the window of its model. */
export interface Fitting {
  messages: Message[];
  /** Tokens of it all, schemas and system text among them. */
  input: number;
  /** Tokens of the reply, and of thinking beside it. */
  maxOutput: number;
  thinking: number;
}

/** Characters of a token, by a cautious guess. */
const perToken = 3;

/** The next request, with older turns folded where it would be too large. */
export async function fitRequest(input: TurnInput, parts: CompactionParts): Promise<Fitting | 'overflow' | 'aborted'> {
  const { conversation } = parts.log;
  const exchanges = conversation.exchangesWith(input);
  const before = look(exchanges, parts);
  const pressure = assessPressure(before.input, before.window, conversation);
  if (pressure === 'none') return fittingIn(before, parts);
  const rules = contextRulesOf(conversation);
  const { budget } = before.window;
  const goal = { rules, budget, target: rules.target * budget, must: pressure === 'hard', why: 'pressure' } as const;
  const outcome = await compact(exchanges, before, goal, parts);
  return outcome === 'aborted' ? outcome : fittingIn(look(exchanges, parts), parts);
}

/**
 * After a request that the provider refused as too large, though we took it to fit: its window is smaller than we know. False where nothing
 * is folded, or was already for this very turn: then the refusal stands.
 */
export async function compactAfterOverflow(
  input: TurnInput,
  refused: NonNullable<LogEntryOf<'fold'>['refused']>,
  parts: CompactionParts,
): Promise<boolean> {
  const { conversation } = parts.log;
  const rules = contextRulesOf(conversation);
  const last = conversation.compactions.at(-1);
  const isSecond = last?.why === 'overflow' && last.n === conversation.turns;
  if (rules.mode === 'off' || isSecond) return false;
  const exchanges = conversation.exchangesWith(input);
  const budget = Math.max(1, refused.input);
  // Nothing is held back: what may be folded is, down to the floor.
  const open = { ...rules, soft: 0, floor: 0 };
  const goal = { rules: open, budget, target: rules.floor * budget, must: true, why: 'overflow', refused } as const;
  return (await compact(exchanges, look(exchanges, parts), goal, parts)) !== 'aborted';
}

interface RequestSize {
  messages: Message[];
  input: number;
  window: Window;
  thinking: number;
  /** By our own count alone. */
  estimate: number;
}

function look(exchanges: readonly Exchange[], { log: { conversation }, meter }: CompactionParts): RequestSize {
  const { frame } = conversation;
  // Providers count thinking as output.
  const thinking = chooseThinkingTokens(frame.model, frame.thinking);
  const messages = requestMessages(conversation, exchanges, lastCompaction(conversation));
  return {
    messages,
    input: meter.request(conversation, messages),
    window: estimateWindow(conversation, { thinking, leastOutput: activityLimits.agent.leastOutput }),
    thinking,
    estimate: meter.frame(frame) + meter.messages(messages),
  };
}

function fittingIn({ messages, input, window, thinking }: RequestSize, { log }: CompactionParts): Fitting | 'overflow' {
  if (input > window.most) return 'overflow';
  const { maxOutput: most } = log.conversation.frame;
  const maxOutput = Math.min(most, Math.max(activityLimits.agent.leastOutput, window.whole - input));
  return { messages, input, maxOutput, thinking };
}

interface CompactionGoal {
  why: LogEntryOf<'fold'>['why'];
  rules: ContextRules;
  /** In tokens as the provider counts them, as is the target. */
  budget: number;
  target: number;
  must: boolean;
  refused?: NonNullable<LogEntryOf<'fold'>['refused']>;
}

/** Folds as far as is wanted and possible. The mark is in the log before anything is sent by it. */
async function compact(
  exchanges: readonly Exchange[],
  { input, estimate }: RequestSize,
  goal: CompactionGoal,
  parts: CompactionParts,
): Promise<'folded' | 'as-before' | 'aborted'> {
  const { log, meter, onCompaction: onFold } = parts;
  const { conversation } = log;
  const { frame, turns } = conversation;
  const scale = Math.max(1, input / Math.max(1, estimate));
  const budget = goal.budget / scale;
  const folded = lastCompaction(conversation);
  const summary = Math.floor(Math.min(limits.context.summaryTokens, budget * limits.context.summaryShare));
  const plan = planCompaction({
    exchanges,
    state: folded,
    readable: isReadable(conversation),
    measure: (messages) => meter.messages(messages),
    fixed: meter.frame(frame) + meter.messages([{ from: 'user', text: frame.first }]),
    budget,
    rules: goal.rules,
    must: goal.must,
    target: goal.target / scale,
    summary,
  });
  const next = plan === undefined ? { folded } : await follow(plan, { exchanges, folded, summary }, parts);
  if (next === 'aborted') return next;
  const size = ({ upTo, text }: CompactionState): number =>
    Math.ceil(scale * (meter.frame(frame) + meter.messages(requestMessages(conversation, exchanges, { upTo, text }))));
  const isShorter = size(next.folded) < input;
  if (!isShorter && next.by === undefined && goal.refused === undefined) return 'as-before';
  const { upTo, text } = isShorter ? next.folded : folded;
  await log.append({
    k: 'fold',
    n: turns,
    why: goal.why,
    upTo,
    text,
    ...(next.by === undefined ? {} : { by: next.by }),
    tokens: { before: input, after: isShorter ? size(next.folded) : input },
    scale,
    ...(goal.refused === undefined ? {} : { refused: goal.refused }),
  });
  const mark = conversation.compactions.at(-1);
  if (mark !== undefined) onFold(mark);
  return 'folded';
}

/** Carries out a plan of compaction, with a summary when turns are merged. */
async function follow(
  { upTo, merge }: NonNullable<ReturnType<typeof planCompaction>>,
  { exchanges, folded, summary }: { exchanges: readonly Exchange[]; folded: CompactionState; summary: number },
  parts: CompactionParts,
): Promise<{ folded: CompactionState; by?: MergedSummary } | 'aborted'> {
  const { conversation } = parts.log;
  if (merge === undefined) return { folded: { upTo: { ...folded.upTo, ...upTo }, text: folded.text } };
  const before: ModelSummary | undefined = conversation.compactions.findLast(({ by }) => by !== undefined)?.by;
  const untold = exchanges.filter(({ n }) => n > (before?.upTo ?? 0) && n <= merge);
  const by = await askCompactor({ upTo: merge, earlier: before, exchanges: untold, most: summary }, parts);
  if (by === 'aborted') return by;
  const text = writeSummary({
    exchanges,
    merged: merge,
    modelSummary: by ?? before,
    readable: isReadable(conversation),
    most: summary * perToken,
  });
  return { folded: { upTo: { ...folded.upTo, ...upTo, merged: merge }, text }, ...(by === undefined ? {} : { by }) };
}
