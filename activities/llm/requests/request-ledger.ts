import * as z from 'zod';

import type { Store } from '../../store/store.ts';
import { takenOver } from '../../temporal/failure.ts';

const amount = z.number().min(0);

/** A request goes out; what it may cost at most is charged until its end is known. */
const ledgerRequest = z.object({ model: z.string(), tokens: amount, costUsd: amount });

const answer = z.discriminatedUnion('kind', [
  /** `cut`: the model had more to say. */
  z.object({
    kind: z.literal('said'),
    text: z.string(),
    tokens: amount,
    costUsd: amount,
    cut: z.literal(true).exactOptional(),
  }),
  /** No reply. `passes`: the same model may be asked again; `charged`: the provider may have worked; `why`: in words. */
  z.object({
    kind: z.literal('failed'),
    type: z.string(),
    passes: z.boolean(),
    charged: z.boolean(),
    why: z.string().exactOptional(),
  }),
]);

export type LedgerRequest = z.infer<typeof ledgerRequest>;
export type LedgerReply = z.infer<typeof answer>;

/** One request. Without an answer it was lost: a crash came in between. */
export interface LedgerEntry {
  request: LedgerRequest;
  answer?: LedgerReply;
}

interface LedgerPosition {
  run: number;
  /** From 1. */
  request: number;
}

/**
 * The requests and answers of one judge or planner, as claims of the store: an answer is paid once, even when it is asked for again, and
 * the number of requests holds through crashes.
 */
export class RequestLedger {
  readonly #store: Pick<Store, 'claim' | 'peek'>;
  readonly #task: string;
  readonly #stem: string;

  constructor(
    store: Pick<Store, 'claim' | 'peek'>,
    about: { task: string; who: 'judge' | 'planner'; stem: readonly (string | number)[] },
  ) {
    this.#store = store;
    this.#task = about.task;
    this.#stem = `${about.who} ${JSON.stringify(about.stem)}`;
  }

  /** The requests of a run, in their order. */
  async entries(run: number): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = [];
    for (;;) {
      const place = { run, request: entries.length + 1 };
      const request = await this.#store.peek(this.#key(place, 'asked'));
      if (request === undefined) return entries;
      const reply = await this.#store.peek(this.#key(place, 'answer'));
      entries.push({
        request: ledgerRequest.parse(JSON.parse(request)),
        ...(reply === undefined ? {} : { answer: answer.parse(JSON.parse(reply)) }),
      });
    }
  }

  /** Before a request: of two workers that both believe it is theirs to ask, one goes on. */
  async ask(place: LedgerPosition, request: LedgerRequest): Promise<void> {
    const { mine } = await this.#store.claim(this.#key(place, 'asked'), JSON.stringify(request));
    if (!mine) throw takenOver('another run of these requests has taken over');
  }

  async settle(place: LedgerPosition, reply: LedgerReply): Promise<void> {
    await this.#store.claim(this.#key(place, 'answer'), JSON.stringify(reply));
  }

  #key({ run, request }: LedgerPosition, what: 'asked' | 'answer') {
    return { task: this.#task, name: `${this.#stem} ${run} ${request} ${what}` };
  }
}
