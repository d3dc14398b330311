import type { HeddleClient } from '../sdk/heddle-client.ts';
import { BoardState } from './board-state.ts';
import { readBoard, type BoardNews } from './read-board.ts';
import { TaskWatch } from './watch-tasks.ts';

/** All tasks and open questions, shared by everybody in this process who looks at them. Nothing is looked at while nobody reads. */
export class Board {
  readonly #client: HeddleClient;
  readonly #state = new BoardState();
  #readers = 0;
  #watching = new AbortController();

  constructor(client: HeddleClient) {
    this.#client = client;
  }

  /** Yields everything once, then what changes, until the signal is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<BoardNews, void, undefined> {
    this.#readers += 1;
    if (this.#readers === 1) {
      this.#watching = new AbortController();
      void new TaskWatch(this.#client, this.#state, this.#watching.signal).run();
    }
    try {
      yield* readBoard(this.#state, signal);
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) {
        this.#watching.abort();
        this.#state.forget();
      }
    }
  }
}
