import { setTimeout as wait } from 'node:timers/promises';
import { estimateTokenCount } from 'tokenx';

import { sumTokens } from '../../domain/conversation/spending.ts';
import { isFor, type Ballot } from '../../domain/judges/count-votes.ts';
import { repairRequest } from '../../domain/judges/judge-prompt.ts';
import { readJudgement } from '../../domain/judges/read-judgement.ts';
import type { JudgeReading } from '../../domain/judges/reading.ts';
import { formatRetry } from '../../domain/events/sentence.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Lens } from '../../domain/types/judgement.ts';
import type { Model } from '../../domain/types/llm.ts';
import { computeCost } from '../../domain/llm/price.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Asker, Models } from '../llm/ports/model.ts';
import type { LedgerEntry, RequestLedger } from '../llm/requests/request-ledger.ts';
import type { ExchangeText } from '../llm/requests/format-exchange.ts';
import type { RequestSpending } from '../llm/requests/request-spending.ts';
import { sendRequest, type Replied } from '../llm/requests/send-request.ts';

export interface JudgeTalkParts {
  lens: Lens;
  /** The system text, with the form of the answer. */
  system: string;
  form: string;
  /** The model that is asked, and the models that repair an answer of it that cannot be read. */
  models: readonly [Model, ...Model[]];
  ledger: RequestLedger;
  spending: RequestSpending;
  calls: Models;
  /** This judge, told apart from the others that vote. */
  asker: Omit<Asker, 'turn'>;
  run: number;
  criteria: readonly string[];
  /** Builds the view for the judge, cut to the room that the model has. */
  show: (room: number) => string;
  signal: AbortSignal;
  redact: (text: string) => string;
  /** Between 0 and 1. */
  random: () => number;
  /** Shows people what happens. */
  note: (line: string) => void;
}

/** Nothing is left that it may spend. */
export interface OutOfBudget {
  lacks: string[];
}

const { wait: waits, output, spare, prompt, requestTimeout, answer: longestAnswer } = activityLimits.judge;

/**
 * One judge: it is asked, asked to say it again, and then somebody else is. Whatever a request fails with, there are three in all, through
 * crashes too: an answer that nobody can read costs no more than that.
 */
export class JudgeTalk {
  readonly #parts: JudgeTalkParts;
  /** Requests that came to an end, in all runs: what a script counts by. */
  #ended = 0;
  #requests = 0;
  /** The last answer that could not be read. */
  #unread: string | undefined;
  #reading: JudgeReading | undefined;
  #model: string | null = null;
  /** Models that would only say the same again. */
  readonly #dead = new Set<string>();
  readonly #replies: ExchangeText[] = [];

  constructor(parts: JudgeTalkParts) {
    this.#parts = parts;
  }

  async ask(): Promise<Ballot | OutOfBudget> {
    const { ledger, run, spending, signal } = this.#parts;
    for (let before = 1; before < run; before += 1)
      this.#ended += (await ledger.entries(before)).filter(({ answer }) => answer !== undefined).length;
    for (const entry of await ledger.entries(run)) this.#take(entry);
    while (this.#reading === undefined && this.#requests < limits.judge.requests) {
      const model = this.#next();
      if (model === undefined) break;
      const lacks = spending.lacks();
      if (lacks.length > 0) return { lacks };
      const { pause, why } = await this.#request(model);
      if (pause === 0 || this.#requests >= limits.judge.requests) continue;
      this.#note(formatRetry(pause, why));
      await wait(pause, undefined, { signal });
    }
    const { lens } = this.#parts;
    if (this.#reading !== undefined) return { lens, model: this.#model, reading: this.#reading };
    return { lens, model: this.#model, isDead: this.#unread === undefined };
  }

  /** The request and the replies so far, for people. */
  listTexts(): ExchangeText[] {
    const { system, show, asker } = this.#parts;
    const title = asker.part ?? 'judge';
    const request = [
      { from: `${title}: system`, text: system },
      { from: `${title}: request`, text: show(prompt) },
    ];
    return [...request, ...this.#replies.map(({ from, text }) => ({ from: `${title}: ${from}`, text }))];
  }

  /** The first model is asked twice, then another; a model that failed for good is not asked again. */
  #next(): Model | undefined {
    const [first, ...others] = this.#parts.models;
    const order = this.#requests < limits.judge.requests - 1 ? [first, ...others] : [...others, first];
    return order.find(({ name }) => !this.#dead.has(name));
  }

  #take(entry: LedgerEntry): void {
    const { request: ledgerRequest, answer } = entry;
    const { spending } = this.#parts;
    this.#requests += 1;
    const { model } = ledgerRequest;
    const request = this.#nameOf(this.#requests);
    spending.charge(request, entry);
    if (answer === undefined) return;
    this.#ended += 1;
    if (answer.kind === 'failed') {
      if (!answer.passes) this.#dead.add(model);
      return;
    }
    this.#model = model;
    this.#replies.push({ from: model, text: answer.text });
    const reading = readJudgement(answer.text, this.#parts.criteria);
    // The part that was cut off could have taken a yes back.
    this.#reading = answer.cut && reading !== undefined && isFor(reading) ? undefined : reading;
    this.#unread = answer.text;
  }

  #nameOf = (request: number): string => `${this.#parts.asker.part ?? ''} ${request}`;

  #note(line: string): void {
    const { asker, note } = this.#parts;
    note(`${asker.part ?? 'judge'}: ${line}`);
  }

  /** Returns how long to wait before another, and why. */
  async #request(model: Model): Promise<{ pause: number; why: string }> {
    const { ledger, run } = this.#parts;
    this.#note(`asking ${model.name}, request ${this.#requests + 1} of ${limits.judge.requests}`);
    const composed = this.#compose(model);
    const place = { run, request: this.#requests + 1 };
    const reserve = { input: composed.input, output: composed.maxOutput, cached: 0, reasoning: 0 };
    const ledgerRequest = { model: model.name, tokens: sumTokens(reserve), costUsd: computeCost(reserve, model.price) };
    // Counted before anything is waited for: others beside it look at the same purse.
    this.#parts.spending.charge(this.#nameOf(place.request), { request: ledgerRequest });
    await ledger.ask(place, ledgerRequest);
    const { answer, retryAfter } = await this.#call(model, composed);
    await ledger.settle(place, answer);
    this.#take({ request: ledgerRequest, answer });
    const none = { pause: 0, why: '' };
    if (answer.kind === 'said' || !answer.passes) return none;
    if (retryAfter !== undefined && retryAfter > waits.most) {
      // It will not be there in time: somebody else is.
      this.#dead.add(model.name);
      return none;
    }
    const base = waits.first * waits.factor ** (place.request - 1);
    const pause = Math.ceil(retryAfter ?? base * (0.5 + this.#parts.random()));
    return { pause, why: answer.why ?? `The model ${model.name} did not answer` };
  }

  #compose(model: Model): { system: string; text: string; input: number; maxOutput: number } {
    const { system, form, show } = this.#parts;
    const repair = this.#unread === undefined ? '' : `\n\n${repairRequest(this.#unread, form)}`;
    const reply = Math.min(model.output, output);
    const window = model.context - reply - spare;
    // Two characters are at least one token in no language: a window that is too small even so is the provider's to refuse.
    for (let room = Math.min(prompt, window * 4); ; room = Math.floor(room / 2)) {
      const text = `${show(room)}${repair}`;
      const input = estimateTokenCount(system) + estimateTokenCount(text);
      if (input <= window || room < leastRoom) return { system, text, input, maxOutput: reply };
    }
  }

  #call(
    model: Model,
    { system, text, maxOutput }: { system: string; text: string; maxOutput: number },
  ): Promise<Replied> {
    const { calls, asker, redact, signal } = this.#parts;
    const messages = [{ from: 'user', text }] as const;
    const request = { model, system, messages, maxOutput, asker: { ...asker, turn: this.#ended + 1 } };
    return sendRequest(calls, request, { signal, redact, timeout: requestTimeout, longest: longestAnswer });
  }
}

/** Characters below which what is shown is not made smaller. */
const leastRoom = 500;
