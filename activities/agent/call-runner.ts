import type { LoggedResult } from '../../domain/conversation/entry.ts';
import { isKeptNote } from '../../domain/conversation/conversation.ts';
import { evidenceLimits } from '../../domain/evidence/limits.ts';
import type { ToolCall } from '../../domain/conversation/turn.ts';
import type { Ask, GrantKey } from '../../domain/types/agent.ts';
import { clip } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { runReading } from '../tools/run-tool.ts';
import type { ReadingTool, ToolOutcome } from '../tools/common/tool.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import type { ValidatedCall } from './validate-calls.ts';
import { readQuestion } from './loop-tools.ts';
import { makeAnswer, type AnswerParts } from './build-tool-result.ts';
import { decidedFor, findEdit, passReadGate, type GateParts } from './resolve-approval.ts';
import { runEffect, withEdit, type UnknownEffect } from './run-effect.ts';

export interface RunnerParts extends Pick<AnswerParts, 'store'>, GateParts {
  /** The rest of the grant, by the log. */
  left: (key: GrantKey) => number;
  onAnswer: (answer: LoggedResult, call: ToolCall) => void;
  onRefusal: (tool: string, why: string) => void;
  owner: GateParts['owner'] & Pick<ConversationOwner, 'asker'>;
  /** The number of the last record of the subtask before this conversation. */
  notesBefore?: number;
}

/** Why the calls of a turn do not all have an answer. */
export type Halt = { kind: 'aborted' } | { kind: 'budget'; keys: GrantKey[] } | { kind: 'asks'; asks: Ask };

type Ready = Extract<ValidatedCall, { args: unknown }>;
type Read = Ready & { tool: ReadingTool<unknown> };

/** A read that may run, must be asked about, or has its result. */
type GatedRead = Read & { gate: Awaited<ReturnType<typeof passReadGate>> };

/** Runs the calls of one turn: readers side by side, what changes something in its order. `finish` is the loop's own. */
export class CallRunner {
  readonly #parts: RunnerParts;
  /** Given in this process and not yet in the log. */
  #pending: LoggedResult[] = [];

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  get pending(): readonly LoggedResult[] {
    return this.#pending;
  }

  async run(validated: readonly ValidatedCall[]): Promise<Halt | undefined> {
    const answered = new Set(this.#pending.map(({ call }) => call));
    const open = validated.filter(
      (each) => !isReport(each) && !answered.has(each.call.callId) && !this.#isLogged(each.call),
    );
    for (let at = 0; at < open.length;) {
      if (this.#parts.context.signal.aborted) return { kind: 'aborted' };
      const reads = readsFrom(open, at);
      const halt = reads.length > 0 ? await this.#runReads(reads) : await this.#runOne(open[at]);
      if (halt !== undefined) return halt;
      at += Math.max(1, reads.length);
    }
    return undefined;
  }

  /** `finish` was not accepted. */
  answerFinish({ callId, id, tool }: ToolCall, text: string): void {
    this.#pending.push({ call: callId, id, tool, kind: 'loop', text, isError: true });
  }

  /** Writes results that are not in the log yet: the next execution must not repeat their calls. */
  async flush(): Promise<void> {
    for (const answer of this.take()) await this.#parts.log.append({ k: 'result', ...answer });
  }

  /** The answers go into the next turn. */
  take(): LoggedResult[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  #isLogged({ callId }: ToolCall): boolean {
    return this.#parts.log.conversation.last?.answers.has(callId) ?? false;
  }

  async #runReads(reads: readonly Read[]): Promise<Halt | undefined> {
    const { context } = this.#parts;
    const room = this.#left('toolCalls');
    const now = reads.slice(0, Math.max(0, room));
    let ended: GatedRead[] | 'aborted';
    try {
      const gated = await this.#gateReads(now);
      ended = await Promise.all(gated.map((read) => this.#runRead(read)));
    } catch (error) {
      // A read that was cut off half way is no result.
      if (!context.signal.aborted) throw error;
      ended = 'aborted';
    }
    if (ended === 'aborted') return { kind: 'aborted' };
    for (const { call, gate } of ended) if ('ok' in gate) await this.#answer(call, 'reads', gate);
    const [question] = ended.flatMap(({ gate }) => ('asks' in gate ? [gate.asks] : []));
    if (question !== undefined) return { kind: 'asks', asks: question };
    return now.length < reads.length ? { kind: 'budget', keys: ['toolCalls'] } : undefined;
  }

  /** Rules on all reads before the first of them runs. A call that a person rejected has its answer already. */
  async #gateReads(reads: readonly Read[]): Promise<GatedRead[]> {
    const gated: GatedRead[] = [];
    for (const read of reads) {
      const { call, tool, args } = read;
      const decided = decidedFor(call.callId, this.#parts.resume);
      if (decided?.option === 'reject') await this.#tellRejected(call, decided.reason);
      else gated.push({ ...read, gate: await passReadGate(tool, args, call.callId, this.#parts) });
    }
    return gated;
  }

  async #runRead(read: GatedRead): Promise<GatedRead> {
    const { call, tool, gate } = read;
    if ('asks' in gate) return read;
    const outcome =
      'ok' in gate ? gate : await runReading(tool, gate.args, { ...this.#parts.context, call: call.callId });
    const edit = findEdit(call.callId, this.#parts);
    return { ...read, gate: edit === undefined ? outcome : withEdit(outcome, edit) };
  }

  async #runOne(validated: ValidatedCall | undefined): Promise<Halt | undefined> {
    if (validated === undefined) return undefined;
    const { call } = validated;
    if ('invalid' in validated) return this.#answerInvalid(validated);
    const { tool, args } = validated;
    switch (tool.kind) {
      case 'reads':
        return undefined;
      case 'mutates': {
        const isClaimed = this.#parts.log.conversation.last?.claims.has(call.callId) ?? false;
        const keys = isClaimed ? [] : (['toolCalls', 'mutations'] as const).filter((key) => this.#left(key) < 1);
        if (keys.length > 0) return { kind: 'budget', keys };
        const decided = isClaimed ? undefined : decidedFor(call.callId, this.#parts.resume);
        if (decided?.option === 'reject') return this.#tellRejected(call, decided.reason);
        const outcome = await runEffect(tool, args, call, this.#parts);
        if (outcome === 'aborted') return { kind: 'aborted' };
        if ('asks' in outcome) return { kind: 'asks', asks: outcome.asks };
        if ('unknown' in outcome) return { kind: 'asks', asks: this.#askAbout(call, outcome) };
        return this.#answer(call, 'mutates', outcome);
      }
      case 'loop':
        if (call.tool === 'note') return this.#keepNote(call);
        return call.tool === 'ask_user' ? this.#ask(call, args) : this.#answer(call, 'loop', { ok: true, text: 'ok' });
    }
  }

  /** There may be thousands of surplus calls: each gets its line and no more. */
  async #answerInvalid({ call, invalid, surplus }: Extract<ValidatedCall, { invalid: string }>): Promise<undefined> {
    if (surplus !== true) return this.#answer(call, 'invalid', { ok: false, text: invalid });
    const answer: LoggedResult = {
      call: call.callId,
      id: call.id,
      tool: call.tool,
      kind: 'invalid',
      text: invalid,
      isError: true,
    };
    this.#pending.push(answer);
    this.#parts.onAnswer(answer, call);
    return undefined;
  }

  /** The record gets its number now, so that a text can cite it; the attempt's end confirms it. */
  #keepNote(call: ToolCall): Promise<undefined> {
    const { owner, notesBefore = 0 } = this.#parts;
    const { subtask = '' } = owner.asker;
    const number = notesBefore + this.#parts.log.conversation.notes + this.#pending.filter(isKeptNote).length + 1;
    if (number <= evidenceLimits.records)
      return this.#answer(call, 'loop', { ok: true, text: `Kept as [${subtask}/E${number}].` });
    const text = `Not kept: a subtask keeps at most ${evidenceLimits.records} records.`;
    return this.#answer(call, 'loop', { ok: false, text });
  }

  /** A person's answer is the tool's result; it is written down at once, since nobody will send it again. */
  async #ask(call: ToolCall, args: unknown): Promise<Halt | undefined> {
    const { resume } = this.#parts;
    const isWord = (resume?.kind === 'answered' || resume?.kind === 'declined') && resume.call === call.callId;
    if (!isWord) return { kind: 'asks', asks: this.#redactQuestion(readQuestion(call.callId, args)) };
    const answer = clip(resume.text, activityLimits.agent.answer);
    const text =
      resume.kind === 'answered'
        ? `The person answered: ${answer}`
        : `The person declined to answer${answer === '' ? '' : `: ${answer}`}. Continue without it if you can, else report what is missing.`;
    await this.#answer(call, 'loop', { ok: true, text, person: text });
    await this.flush();
    return undefined;
  }

  /** It has not run, and the conversation goes on. Written down at once, as every word of a person. */
  async #tellRejected(call: ToolCall, reason: string): Promise<Halt | undefined> {
    const shortReason = clip(reason, activityLimits.agent.answer);
    const text = `A person rejected this call${shortReason === '' ? '.' : `: ${shortReason}`}\nIt was not run. Do not send it in another form: try a different approach, or report what is missing.`;
    await this.#answer(call, 'loop', { ok: false, text, person: text });
    await this.flush();
    return undefined;
  }

  async #answer(call: ToolCall, kind: LoggedResult['kind'], outcome: ToolOutcome): Promise<undefined> {
    const { log, onAnswer, onRefusal } = this.#parts;
    const { habits, frame, images } = log.conversation;
    const seen = { sees: frame.model.images === true, shown: images };
    const answer = await makeAnswer(call, kind, outcome, { ...this.#parts, habits, ...seen, beside: this.#pending });
    if (outcome.refused !== undefined) onRefusal(call.tool, outcome.refused);
    const isEffect = log.conversation.last?.claims.has(call.callId) ?? false;
    if (isEffect) await log.append({ k: 'result', ...answer });
    else this.#pending.push(answer);
    onAnswer(answer, call);
    return undefined;
  }

  #left(key: GrantKey): number {
    const ran = key === 'toolCalls' ? this.#pending.filter(({ kind }) => kind === 'reads' || kind === 'mutates') : [];
    return this.#parts.left(key) - ran.length;
  }

  #redactQuestion(asks: Extract<Ask, { kind: 'question' }>): Ask {
    const { redact } = this.#parts.owner;
    return { ...asks, question: redact(asks.question), options: asks.options.map(redact) };
  }

  #askAbout({ callId, tool }: ToolCall, { unknown, evidence }: UnknownEffect): Ask {
    const { redact } = this.#parts.owner;
    return { kind: 'unknown-effect', call: callId, tool, action: redact(unknown.action), evidence: redact(evidence) };
  }
}

/** A valid `finish` is the loop's to accept; an invalid one is answered as every other call is. */
const isReport = (validated: ValidatedCall): boolean => validated.call.tool === 'finish' && 'args' in validated;

/** Readers that follow each other, from here on, as many as run at once. */
function readsFrom(validated: readonly ValidatedCall[], at: number): Read[] {
  const reads: Read[] = [];
  for (const each of validated.slice(at, at + activityLimits.agent.readsAtOnce)) {
    if ('invalid' in each || each.tool.kind !== 'reads') break;
    reads.push({ ...each, tool: each.tool });
  }
  return reads;
}
