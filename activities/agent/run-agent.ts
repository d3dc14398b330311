import type { LoggedResult, LogEntryOf, Remark } from '../../domain/conversation/entry.ts';
import type { LastTurn } from '../../domain/conversation/conversation.ts';
import { joinReplyText, type ToolCall } from '../../domain/conversation/turn.ts';
import type { Grant, GrantKey, PersonReply } from '../../domain/types/agent.ts';
import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import { parseCompletionContract } from '../../domain/output/completion-line.ts';
import { TokenMeter } from './compaction/token-meter.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Models } from '../llm/ports/model.ts';
import type { Store } from '../store/store.ts';
import type { ToolRegistry } from '../tools/common/tool-registry.ts';
import type { ToolContext } from '../tools/common/tool.ts';
import type { WriteWatch } from '../workspace/snapshots/write-watch.ts';
import type { AgentEnd } from './agent-end.ts';
import { goesInCircles, malformed, noReport, refused, tookTooLong, tooManyTurns } from './agent-failures.ts';
import { askModel } from './ask-model.ts';
import { CallRunner, type Halt } from './call-runner.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import { validateCalls, type ValidatedCall } from './validate-calls.ts';
import { readFinish } from './loop-tools.ts';
import type { Permit } from './resolve-approval.ts';
import { remarks } from './loop-messages.ts';

export interface AgentParts {
  owner: Pick<ConversationOwner, 'asker' | 'readNews' | 'redact'>;
  log: ConversationLog;
  models: Models;
  registry: Pick<ToolRegistry, 'find' | 'read'>;
  store: Pick<Store, 'put' | 'get'>;
  context: Omit<ToolContext, 'signal'>;
  /** Aborted when the task or the worker stops. */
  signal: AbortSignal;
  /** Most replies of the conversation. */
  iterations: number;
  /** Milliseconds that the conversation may take, over all executions. */
  timeout: number;
  /** The most that the conversation may have used, by the keys that have a limit. */
  ceiling: Grant;
  resume: PersonReply | null;
  /** Hears the text of a reply as it comes. */
  onText?: (text: string) => void;
  onTurn: (turn: LastTurn) => void;
  onAnswer: (answer: LoggedResult, call: ToolCall) => void;
  onRefusal: (tool: string, why: string) => void;
  /** The number of the last record of the subtask before this conversation. */
  notesBefore?: number;
  onPermit: (permit: Permit) => void;
  onCompaction: (fold: LogEntryOf<'fold'>) => void;
  /** Hears of every write in the workspace. */
  watch?: WriteWatch;
  random?: () => number;
}

/** Node counts time in 31 bits. */
const longestTimer = 2 ** 31 - 1;

/** Leads the conversation from where it stands until it must stop. All that it decides by is in the log. */
export async function runAgent(parts: AgentParts): Promise<AgentEnd> {
  const { log, timeout } = parts;
  const deadline = new AbortController();
  const rest = Math.max(0, timeout - log.conversation.elapsed);
  const timer = setTimeout(() => deadline.abort(), Math.min(rest, longestTimer));
  try {
    const loop = new AgentLoop(parts, AbortSignal.any([parts.signal, deadline.signal]), performance.now() + rest);
    const end = rest === 0 ? ({ kind: 'aborted' } as const) : await loop.run();
    return end.kind === 'aborted' && !parts.signal.aborted ? { kind: 'failed', failure: tookTooLong(timeout) } : end;
  } finally {
    clearTimeout(timer);
  }
}

class AgentLoop {
  readonly #parts: AgentParts;
  readonly #signal: AbortSignal;
  /** When its time is over. */
  readonly #deadline: number;
  readonly #meter = new TokenMeter();
  readonly #runner: CallRunner;
  /** A turn was answered in this execution. */
  #progress = false;

  constructor(parts: AgentParts, signal: AbortSignal, deadline: number) {
    this.#parts = parts;
    this.#signal = signal;
    this.#deadline = deadline;
    const context = { ...parts.context, signal };
    this.#runner = new CallRunner({ ...parts, context, left: (key) => this.#left(key) });
  }

  async run(): Promise<AgentEnd> {
    const end = await this.#untilEnd();
    // The next execution must not repeat a call that ran.
    await this.#runner.flush();
    return end;
  }

  async #untilEnd(): Promise<AgentEnd> {
    for (;;) {
      const reaction = await this.#react();
      if ('kind' in reaction) return reaction;
      const end = await this.#ask(reaction);
      if (end !== undefined) return end;
    }
  }

  async #ask(remarks: Remark[]): Promise<AgentEnd | undefined> {
    const { log, iterations } = this.#parts;
    if (this.#signal.aborted) return { kind: 'aborted' };
    if (log.conversation.turns >= iterations) return { kind: 'failed', failure: tooManyTurns(iterations) };
    const news = await this.#hear();
    if ('kind' in news) return news;
    const input = { answers: [...this.#runner.pending], remarks: [...remarks, ...news] };
    const end = await askModel(input, {
      ...this.#parts,
      signal: this.#signal,
      meter: this.#meter,
      timeLeft: () => this.#deadline - performance.now(),
      left: (key) => this.#left(key),
      redactFailure: (failure) => this.#redactFailure(failure),
      random: this.#parts.random ?? Math.random,
    });
    if (end?.kind === 'trouble') return { ...end, kind: 'transient', progress: this.#progress };
    if (end !== undefined) return end;
    this.#runner.take();
    this.#progress = true;
    if (log.conversation.last !== undefined) this.#parts.onTurn(log.conversation.last);
    return undefined;
  }

  /** Reads the instructions that people gave meanwhile. They may also have paused the task. */
  async #hear(): Promise<Remark[] | AgentEnd> {
    const { log, owner } = this.#parts;
    const { paused, steering } = await owner.readNews(log.conversation.steered, this.#signal);
    if (this.#signal.aborted) return { kind: 'aborted' };
    if (paused) return { kind: 'paused' };
    return steering.map(({ id, text }) => remarks.steering({ id, text: owner.redact(text) }));
  }

  /** Continues from the last turn: its calls run, or the conversation ends. */
  async #react(): Promise<Remark[] | AgentEnd> {
    const { last } = this.#parts.log.conversation;
    if (last === undefined) return [];
    if (last.finish === 'refusal')
      return { kind: 'failed', failure: refused(this.#parts.owner.redact(joinReplyText(last.parts))) };
    return last.calls.length === 0 ? this.#readText(last) : this.#runCalls(last);
  }

  #readText(last: LastTurn): Remark[] | AgentEnd {
    const { habits } = this.#parts.log.conversation;
    const text = joinReplyText(last.parts);
    const contract = parseCompletionContract(text);
    if (contract !== undefined) return this.#report(contract, text);
    if (text.trim() === '' || last.finish === 'length') return this.#remindOfForm(remarks.unusable(last.finish));
    if (habits.reportReminders >= activityLimits.agent.reportReminders) return { kind: 'failed', failure: noReport() };
    return [remarks.report];
  }

  async #runCalls(last: LastTurn): Promise<Remark[] | AgentEnd> {
    const { habits, frame } = this.#parts.log.conversation;
    const names = frame.tools.map(({ name }) => name);
    const validated = validateCalls(last.calls, { names, registry: this.#parts.registry });
    const isUnusable = validated.every((each) => 'invalid' in each);
    if (isUnusable && habits.malformed >= activityLimits.agent.formatReminders)
      return { kind: 'failed', failure: malformed() };
    if (habits.batchTimes > activityLimits.agent.sameBatch)
      return { kind: 'failed', failure: goesInCircles(last.calls) };
    const halt = await this.#runner.run(validated);
    if (halt !== undefined) return buildAgentEnd(halt);
    const finish = validated.at(-1);
    if (finish?.call.tool === 'finish' && 'args' in finish) {
      const end = this.#finish(last, finish);
      if (end !== undefined) return end;
    }
    return [
      ...(isUnusable ? [remarks.calls] : []),
      ...(habits.batchTimes === activityLimits.agent.sameBatch ? [remarks.repeats] : []),
      ...(habits.todos === '' || last.calls.some(({ tool }) => tool === 'todo') ? [] : [remarks.todos(habits.todos)]),
    ];
  }

  /** A report that could not know of an error, or of an answer, in the same reply does not count. */
  #finish(last: LastTurn, { call, args }: Extract<ValidatedCall, { args: unknown }>): AgentEnd | undefined {
    if (last.answers.has(call.callId)) return undefined;
    const others = [...last.answers.values(), ...this.#runner.pending];
    const isBlind = others.some(({ isError, tool }) => isError || tool === 'ask_user');
    const contract = isBlind ? undefined : readFinish(args);
    if (contract !== undefined) return this.#report(contract, joinReplyText(last.parts));
    this.#runner.answerFinish(
      call,
      isBlind ? 'Not finished yet: look at the results of the other calls first.' : 'The status is not known.',
    );
    return undefined;
  }

  #remindOfForm(remark: Remark): Remark[] | AgentEnd {
    const { habits } = this.#parts.log.conversation;
    return habits.malformed >= activityLimits.agent.formatReminders
      ? { kind: 'failed', failure: malformed() }
      : [remark];
  }

  #report(contract: CompletionContract, text: string): AgentEnd {
    return { kind: 'reported', contract, text };
  }

  #left(key: GrantKey): number {
    const { log, ceiling } = this.#parts;
    return log.conversation.spending.left(ceiling, key);
  }

  #redactFailure(failure: Failure): Failure {
    const { redact } = this.#parts.owner;
    return { ...failure, summary: redact(failure.summary), details: redact(failure.details) };
  }
}

function buildAgentEnd(halt: Halt): AgentEnd {
  switch (halt.kind) {
    case 'aborted':
      return halt;
    case 'asks':
      return halt;
    case 'budget':
      return { kind: 'out-of-budget', keys: halt.keys };
  }
}
