import type { ImageRef } from './image.ts';
import type { LoggedResult, LogEntry, LogEntryOf, TurnInput } from './entry.ts';
import { buildExchange, type Exchange } from './exchange.ts';
import { Habits } from './habits.ts';
import { Spending } from './spending.ts';
import { listToolCalls, type ToolCall } from './turn.ts';

/** The model's newest reply and the state of its calls. */
export interface LastTurn extends LogEntryOf<'turn'> {
  calls: ToolCall[];
  answers: Map<string, LoggedResult>;
  claims: Map<string, LogEntryOf<'claim'>>;
  /** The newest permit of each call. */
  permits: Map<string, LogEntryOf<'permit'>>;
}

/** The state of a conversation, built from its log line by line: the same steps run for a line just written and for one read after a crash. */
export class Conversation {
  readonly spending = new Spending();
  readonly habits = new Habits();
  #frame: LogEntryOf<'frame'> | undefined;
  /** All exchanges but the last, which is not over. */
  readonly #exchanges: Exchange[] = [];
  readonly #compactions: LogEntryOf<'fold'>[] = [];
  #last: LastTurn | undefined;
  #failures = 0;
  #elapsed = 0;
  #clock = 0;
  #gated = false;
  #notes = 0;
  #steered = 0;
  readonly #summaries = { requested: 0, ended: 0 };

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
        for (const answer of entry.heard.answers) this.#countNote(answer);
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
        this.#countNote(entry);
        break;
      case 'failed':
        if (entry.compactor === undefined) this.#failures += 1;
        else this.#summaries.ended += 1;
        break;
      case 'fold':
        this.#compactions.push(entry);
        if (entry.by !== undefined) this.#summaries.ended += 1;
        break;
      case 'call':
        if (entry.compactor !== undefined) this.#summaries.requested += 1;
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

  /** The number of replies. */
  get turns(): number {
    return this.#last?.n ?? 0;
  }

  /** The number of requests in a row that got no reply. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds that the attempt ran in all of its executions, by the times of their log lines. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Set when an effect began after a person had been asked about it. */
  get gated(): boolean {
    return this.#gated;
  }

  /** The number of records that it kept. */
  get notes(): number {
    return this.#notes;
  }

  /** The number of the newest instruction of a person that the model was sent. */
  get steered(): number {
    return this.#steered;
  }

  /** Images of the next request. An image is dropped together with the output that contained it. */
  get images(): ImageRef[] {
    const { outputs, merged } = this.#compactions.at(-1)?.upTo ?? { outputs: 0, merged: 0 };
    return this.exchangesWith({ answers: [], remarks: [] })
      .filter(({ n }) => n > Math.max(outputs, merged))
      .flatMap(({ answers }) => answers.flatMap(({ image }) => image ?? []));
  }

  /** All turns so far, each with its results; every call of the last one has its result. */
  exchangesWith(input: TurnInput): Exchange[] {
    return [...this.#exchanges, buildExchange(this.#last, input)];
  }

  /** The compactions so far, the newest last. */
  get compactions(): readonly LogEntryOf<'fold'>[] {
    return this.#compactions;
  }

  /** Counts requests for a summary, and how many of them ended with or without a reply. */
  get summaries(): Readonly<{ requested: number; ended: number }> {
    return this.#summaries;
  }

  #countNote(answer: LoggedResult): void {
    if (isKeptNote(answer)) this.#notes += 1;
  }

  /** Time between two executions is not counted, because nothing runs. */
  #countTime({ k, at }: LogEntry): void {
    if (k !== 'segment' && k !== 'frame') this.#elapsed += Math.max(0, at - this.#clock);
    this.#clock = at;
  }
}

/** A call of `note` that was taken. */
export const isKeptNote = ({ tool, isError }: Pick<LoggedResult, 'tool' | 'isError'>): boolean =>
  tool === 'note' && !isError;

/** A permit by a person holds for this call only; a permit by a rule does not. */
export const isOfPerson = (permit: LogEntryOf<'permit'> | undefined): boolean =>
  permit !== undefined && permit.by !== 'rule';
