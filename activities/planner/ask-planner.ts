import { estimateTokenCount } from 'tokenx';
import { sumTokens } from '../../domain/conversation/spending.ts';
import type { Message } from '../../domain/conversation/message.ts';
import type { GrantKey } from '../../domain/types/agent.ts';
import type { PlannerOutage, PlannerRefusal } from '../../domain/types/planner.ts';
import type { Model } from '../../domain/types/llm.ts';
import { computeCost } from '../../domain/llm/price.ts';
import { plannerFeedback } from '../../domain/planner/planner-prompt.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Models } from '../llm/ports/model.ts';
import type { LedgerEntry, RequestLedger } from '../llm/requests/request-ledger.ts';
import type { ExchangeText } from '../llm/requests/format-exchange.ts';
import type { RequestSpending } from '../llm/requests/request-spending.ts';
import { sendRequest } from '../llm/requests/send-request.ts';

export interface PlannerTalkParts<Plan> {
  task: string;
  model: Model;
  /** The system text. */
  system: string;
  ledger: RequestLedger;
  spending: RequestSpending;
  calls: Models;
  /** From 1. */
  round: number;
  /** Answers that may be asked for. */
  tries: number;
  /** Builds the request, with at most so many characters for the listing of files. */
  show: (room: number) => string;
  /** The plan that an answer is, or everything that is wrong with it. */
  read: (text: string) => Promise<{ plan: Plan } | { problems: string[] }>;
  signal: AbortSignal;
  redact: (text: string) => string;
  /** Shows people what happens. */
  note: (line: string) => void;
}

/** The problems of the last answer, or the reason why there is none. */
export interface NoPlan {
  problems: string[];
  /** Budgets of which nothing is left for another try. */
  lacks?: GrantKey[];
  refusal?: PlannerRefusal;
  outage?: PlannerOutage;
}

const { listing, output, spare, requestTimeout, repeated, answer: longest } = activityLimits.planner;

/**
 * One conversation with the model that plans: an answer that is no plan is told what is wrong with it, and uses a try. All of it is claimed:
 * after a crash it goes on behind the last answer, and what was answered is not paid twice. A request without an answer uses no try: the
 * conversation stops there, and continues when somebody asks again.
 */
export class PlannerTalk<Plan> {
  readonly #parts: PlannerTalkParts<Plan>;
  /** Requests that were answered, in all rounds: what a script counts by. */
  #answered = 0;
  #requests = 0;
  #tries = 0;
  readonly #said: Message[] = [];
  readonly #texts: ExchangeText[] = [];
  #plan: { plan: Plan } | undefined;
  #problems: string[] = [];
  /** The model would only fail again. */
  #isDead = false;
  #refusal: PlannerRefusal | undefined;
  #outage: PlannerOutage | undefined;

  constructor(parts: PlannerTalkParts<Plan>) {
    this.#parts = parts;
  }

  async ask(): Promise<{ plan: Plan } | NoPlan> {
    const { ledger, round, tries, spending } = this.#parts;
    for (let before = 1; before < round; before += 1)
      for (const entry of await ledger.entries(before)) this.#count(before, entry);
    this.#requests = 0;
    for (const entry of await ledger.entries(round)) await this.#take(entry);
    // A person has answered it since.
    this.#refusal = undefined;
    while (this.#mayAsk && this.#tries < tries) {
      const lacks = spending.lacks();
      if (lacks.length > 0) return { problems: [`Nothing is left of the budget for ${lacks.join(' and ')}.`], lacks };
      await this.#request();
    }
    return this.#conclude();
  }

  #conclude(): { plan: Plan } | NoPlan {
    if (this.#plan !== undefined) return this.#plan;
    if (this.#outage !== undefined) return { problems: [this.#outage.why], outage: this.#outage };
    const refusal = this.#refusal === undefined ? {} : { refusal: this.#refusal };
    return { problems: this.#problems, ...refusal };
  }

  get #mayAsk(): boolean {
    return this.#plan === undefined && !this.#isDead && this.#refusal === undefined && this.#outage === undefined;
  }

  /** The requests and replies so far, for people. */
  listTexts(): ExchangeText[] {
    const { system, show } = this.#parts;
    return [{ from: 'System', text: system }, { from: 'Request', text: show(listing) }, ...this.#texts];
  }

  /** Counts the cost of a request, and whether it was answered. */
  #count(round: number, entry: LedgerEntry): void {
    this.#requests += 1;
    this.#parts.spending.charge(`${round} ${this.#requests}`, entry);
    if (entry.answer?.kind === 'said') this.#answered += 1;
  }

  async #take(entry: LedgerEntry): Promise<void> {
    this.#count(this.#parts.round, entry);
    const { answer } = entry;
    if (answer === undefined) return;
    if (answer.kind === 'failed') {
      if (answer.passes) return;
      this.#refusal = this.#readRefusal(answer);
      if (this.#refusal === undefined) this.#isDead = true;
      this.#problems = [`The model that plans could not be asked (${answer.type}): ${answer.why ?? ''}`];
      return;
    }
    this.#tries += 1;
    this.#texts.push({ from: `Reply ${this.#tries} of ${entry.request.model}`, text: answer.text });
    const read = await this.#parts.read(answer.text);
    if ('plan' in read) {
      this.#plan = read;
      return;
    }
    this.#problems = read.problems;
    this.#texts.push({ from: 'Problems', text: plannerFeedback(read.problems) });
    this.#said.push(
      { from: 'model', parts: [{ type: 'text', text: answer.text.trim() === '' ? '(nothing)' : answer.text }] },
      { from: 'user', text: plannerFeedback(read.problems) },
    );
  }

  /** Trouble that a person can end, and no other answer of the model. */
  #readRefusal({ type, why }: { type: string; why?: string | undefined }): PlannerRefusal | undefined {
    if (type !== 'auth' && type !== 'permission' && type !== 'subscription') return undefined;
    const { name, provider } = this.#parts.model;
    const variable = provider.keyEnv === undefined ? {} : { variable: provider.keyEnv };
    return { type, why: why ?? '', model: name, provider: provider.name, ...variable };
  }

  async #request(): Promise<void> {
    const { calls, ledger, model, system, round, signal, spending, redact, task, tries, note } = this.#parts;
    const composed = this.#compose();
    if (composed === undefined) {
      this.#isDead = true;
      this.#problems = [`The request for a plan is too long for the window of the model ${model.name}.`];
      return;
    }
    const { messages, input, maxOutput } = composed;
    const place = { run: round, request: this.#requests + 1 };
    const reserve = { input, output: maxOutput, cached: 0, reasoning: 0 };
    const ledgerRequest = { model: model.name, tokens: sumTokens(reserve), costUsd: computeCost(reserve, model.price) };
    const [problem] = this.#problems;
    const why = problem === undefined ? '' : `: ${clip(oneLine(problem), limits.summary)}`;
    note(`Asking ${model.name} for the plan, try ${this.#tries + 1} of ${tries}${why}`);
    await ledger.ask(place, ledgerRequest);
    spending.charge(`${round} ${place.request}`, { request: ledgerRequest });
    const asker = { task, role: 'planner', turn: this.#answered + 1 } as const;
    const request = { model, system, messages, maxOutput, asker };
    const { answer, retryAfter } = await sendRequest(calls, request, {
      signal,
      redact,
      timeout: requestTimeout,
      longest,
    });
    await ledger.settle(place, answer);
    await this.#take({ request: ledgerRequest, answer });
    if (answer.kind === 'said' || !answer.passes) return;
    const { name } = model.provider;
    this.#outage = {
      why: answer.why ?? `The provider ${name} did not answer within ${formatDuration(requestTimeout)}.`,
      category: answer.type === 'environment' ? 'environment' : 'transient',
      ...(retryAfter === undefined ? {} : { retryAfter: Math.min(retryAfter, activityLimits.planWait.most) }),
    };
  }

  /**
   * Builds messages that fit into the model's window: with less of its earlier answers, and with fewer names of files. Undefined when not
   * even that fits.
   */
  #compose(): Composed | undefined {
    const { model, system, show } = this.#parts;
    const maxOutput = Math.min(model.output, output);
    const window = model.context - maxOutput - spare;
    for (let room: number = listing; ; room = Math.floor(room / 2)) {
      const first: Message = { from: 'user', text: show(room) };
      for (const most of repeated) {
        const messages = [first, ...this.#said.map((message) => shorten(message, most))];
        const input = estimateTokenCount(`${system}${JSON.stringify(messages)}`);
        if (input <= window) return { messages, input, maxOutput };
      }
      if (room === 0) return undefined;
    }
  }
}

interface Composed {
  messages: Message[];
  /** In tokens, as far as we can tell. */
  input: number;
  maxOutput: number;
}

/** Problems of an answer are sent whole; the answer itself may be shortened. */
const shorten = (message: Message, most: number): Message =>
  message.from !== 'model'
    ? message
    : {
        ...message,
        parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: clip(part.text, most) } : part)),
      };
