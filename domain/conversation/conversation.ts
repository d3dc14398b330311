import type { ImageRef } from './image.ts';
import type { Answer, LogEntry, LogEntryOf, Heard } from './entry.ts';
import { buildExchange, type Exchange } from './exchange.ts';
import { Habits } from './habits.ts';
import { Spending } from './spending.ts';
import { listToolCalls, type ToolCall } from './turn.ts';

/** The last thing that the model said, and what came of it so far. */
export interface LastTurn extends LogEntryOf<'turn'> {
  calls: ToolCall[];
  answers: Map<string, Answer>;
  claims: Map<string, LogEntryOf<'claim'>>;
  /** The newest of each call. */
  permits: Map<string, LogEntryOf<'permit'>>;
}

/** The value of a conversation's log. It is built by the same steps whether a line was just written or is read after a crash. */
export class Conversation {
  readonly spending = new Spending();
  readonly habits = new Habits();
  #frame: LogEntryOf<'frame'> | undefined;
  /** All but the last, which is not over. */
  readonly #exchanges: Exchange[] = [];
  readonly #folds: LogEntryOf<'fold'>[] = [];
  #last: LastTurn | undefined;
  #failures = 0;
  #elapsed = 0;
  #clock = 0;
  #gated = false;
  #steered = 0;
  readonly #summaries = { asked: 0, ended: 0 };

  static of(entries: readonly LogEntry[]): Conversation {
    const conversation = new Conversation();
    for (const entry of entries) conversation.take(entry);
    return conversation;
  }

  take(entry: LogEntry): void {
    this.spending.take(entry);
    this.habits.take(entry);
    this.#countTime(entry);
    switch (entry.k) {
      case 'frame':
        this.#frame = entry;
        this.#steered = entry.steered ?? 0;
        break;
      case 'turn':
        this.#exchanges.push(buildExchange(this.#last, entry.heard));
        this.#failures = 0;
        this.#steered = Math.max(this.#steered, ...entry.heard.remarks.map(({ id = 0 }) => id));
        this.#last = {
          ...entry,
          calls: listToolCalls(entry.n, entry.parts, entry.finish),
          answers: new Map(),
          claims: new Map(),
          permits: new Map(),
        };
        break;
      case 'claim':
        this.#last?.claims.set(entry.call, entry);
        this.#gated ||= isOfPerson(this.#last?.permits.get(entry.call));
        break;
      case 'permit':
        this.#last?.permits.set(entry.call, entry);
        break;
      case 'result':
        this.#last?.answers.set(entry.call, entry);
        break;
      case 'failed':
        if (entry.compactor === undefined) this.#failures += 1;
        else this.#summaries.ended += 1;
        break;
      case 'fold':
        this.#folds.push(entry);
        if (entry.by !== undefined) this.#summaries.ended += 1;
        break;
      case 'call':
        if (entry.compactor !== undefined) this.#summaries.asked += 1;
        break;
      case 'segment':
      case 'stop':
        break;
    }
  }

  get frame(): LogEntryOf<'frame'> {
    if (this.#frame === undefined) throw new Error('a conversation begins with its frame');
    return this.#frame;
  }

  get last(): LastTurn | undefined {
    return this.#last;
  }

  /** Replies so far. */
  get turns(): number {
    return this.#last?.n ?? 0;
  }

  /** Requests in a row that came to no reply. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds in which the attempt ran, all executions together, by the times of their lines. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Something was begun that a person had been asked about. */
  get gated(): boolean {
    return this.#gated;
  }

  /** The number of the newest instruction of a person that it has heard. */
  get steered(): number {
    return this.#steered;
  }

  /** Images of the next request: an image goes when the output that showed it goes. */
  get images(): ImageRef[] {
    const { outputs, merged } = this.#folds.at(-1)?.upTo ?? { outputs: 0, merged: 0 };
    return this.exchangesWith({ answers: [], remarks: [] })
      .filter(({ n }) => n > Math.max(outputs, merged))
      .flatMap(({ answers }) => answers.flatMap(({ image }) => image ?? []));
  }

  /** All turns so far, each with its results; every call of the last one has its result. */
  exchangesWith(heard: Heard): Exchange[] {
    return [...this.#exchanges, buildExchange(this.#last, heard)];
  }

  /** How it is sent shorter than it was said, the newest last. */
  get folds(): readonly LogEntryOf<'fold'>[] {
    return this.#folds;
  }

  /** How often a model was asked for a summary, and how many of these calls have come to an end, whichever. */
  get summaries(): Readonly<{ asked: number; ended: number }> {
    return this.#summaries;
  }

  /** Between two executions nothing runs. */
  #countTime({ k, at }: LogEntry): void {
    if (k !== 'segment' && k !== 'frame') this.#elapsed += Math.max(0, at - this.#clock);
    this.#clock = at;
  }
}

/** Returns true if a person was asked about this very call. */
export const isOfPerson = (permit: LogEntryOf<'permit'> | undefined): boolean =>
  permit !== undefined && permit.by !== 'rule';
