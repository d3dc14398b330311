import type { ImageRef } from './image.ts';
import type { Message, ToolAnswer } from './message.ts';
import type { Answer, Entry, EntryOf, Heard } from './entry.ts';
import { Habits } from './habits.ts';
import { Spending } from './spending.ts';
import { callsOf, type Call } from './turn.ts';

/** The last thing that the model said, and what came of it so far. */
export interface LastTurn extends EntryOf<'turn'> {
  calls: Call[];
  answers: Map<string, Answer>;
  claims: Map<string, EntryOf<'claim'>>;
  /** The newest of each call. */
  permits: Map<string, EntryOf<'permit'>>;
}

/** What a log of a conversation comes to. It is built by the same steps whether a line was just written or is read after a crash. */
export class Conversation {
  readonly spending = new Spending();
  readonly habits = new Habits();
  #frame: EntryOf<'frame'> | undefined;
  #messages: Message[] = [];
  #last: LastTurn | undefined;
  #failures = 0;
  #elapsed = 0;
  #clock = 0;
  #gated = false;
  #steered = 0;

  static of(entries: readonly Entry[]): Conversation {
    const conversation = new Conversation();
    for (const entry of entries) conversation.take(entry);
    return conversation;
  }

  take(entry: Entry): void {
    this.spending.take(entry);
    this.habits.take(entry);
    this.#countTime(entry);
    switch (entry.k) {
      case 'frame':
        this.#frame = entry;
        this.#messages = [{ from: 'user', text: entry.first }];
        this.#steered = entry.steered ?? 0;
        break;
      case 'turn':
        this.#messages = [...this.messagesWith(entry.heard), { from: 'model', parts: entry.parts }];
        this.#failures = 0;
        this.#steered = Math.max(this.#steered, ...entry.heard.remarks.map(({ id = 0 }) => id));
        this.#last = {
          ...entry,
          calls: callsOf(entry.n, entry.parts, entry.finish),
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
        this.#failures += 1;
        break;
      case 'segment':
      case 'call':
      case 'stop':
        break;
    }
  }

  get frame(): EntryOf<'frame'> {
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

  /** What the next request shows besides its texts. */
  get images(): ImageRef[] {
    return this.messagesWith({ answers: [], remarks: [] }).flatMap((message) =>
      message.from === 'tools' ? message.results.flatMap(({ image }) => image ?? []) : [],
    );
  }

  /** What the next request says: every call of the last turn has its answer. */
  messagesWith({ answers, remarks }: Heard): Message[] {
    const known = new Map([...(this.#last?.answers ?? []), ...answers.map((answer) => [answer.call, answer] as const)]);
    const results = (this.#last?.calls ?? []).flatMap(({ place }) => {
      const answer = known.get(place);
      return answer === undefined ? [] : [toolAnswer(answer)];
    });
    const said = remarks.map(({ text }) => text).join('\n\n');
    return [
      ...this.#messages,
      ...(results.length === 0 ? [] : [{ from: 'tools' as const, results }]),
      ...(said === '' ? [] : [{ from: 'user' as const, text: said }]),
    ];
  }

  /** Between two executions nothing runs. */
  #countTime({ k, at }: Entry): void {
    if (k !== 'segment' && k !== 'frame') this.#elapsed += Math.max(0, at - this.#clock);
    this.#clock = at;
  }
}

/** Whether somebody was asked about this very call. */
export const isOfPerson = (permit: EntryOf<'permit'> | undefined): boolean =>
  permit !== undefined && permit.by !== 'rule';

const toolAnswer = ({ id, tool, text, isError, image }: Answer): ToolAnswer => ({
  id,
  tool,
  text,
  isError,
  ...(image === undefined ? {} : { image }),
});
