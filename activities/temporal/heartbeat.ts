import type { Context } from '@temporalio/activity';

import { activityLimits } from '../limits/activity-limits.ts';

/** The facts about a running program that the Web UI and `heddle watch` show. */
export interface Beat {
  /** The last line of output so far. */
  line?: string;
  pid?: number;
}

/** Tells Temporal that the attempt lives, and so lets a cancellation in. Every beat carries everything: the last one sent is what stays. */
export class Heartbeat {
  readonly #context: Context;
  readonly #timer: NodeJS.Timeout;
  #beat: Beat = {};

  constructor(context: Context) {
    this.#context = context;
    this.#timer = setInterval(() => this.#send(), activityLimits.heartbeatInterval);
    this.#send();
  }

  /** Goes out with the next beat. */
  note(news: Beat): void {
    this.#beat = { ...this.#beat, ...news };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #send(): void {
    this.#context.heartbeat(this.#beat);
  }
}
