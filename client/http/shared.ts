import { Board } from '../board/board.ts';
import { RecentLooks } from '../live/recent-looks.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { AppParts } from './app-parts.ts';
import { RateLimit } from './limit-rate.ts';
import { StreamLimit } from './limit-streams.ts';
import { Meter } from './meter.ts';

/** State that the requests of one app share, and the parts that it was given. */
export interface Shared {
  readonly parts: AppParts;
  readonly limits: {
    /** By name. */
    readonly requests: RateLimit;
    readonly writes: RateLimit;
    /** By address. */
    readonly badTokens: RateLimit;
    readonly streams: StreamLimit;
  };
  readonly meters: {
    /** How long requests took, streams aside. */
    readonly requests: Meter;
    /** How long after it happened an event was written to a stream. */
    readonly eventLag: Meter;
  };
  /** Looks at tasks that streams which are opened at the same time share. */
  readonly looks: RecentLooks;
  /** The board of all tasks of a client. */
  boardOf(client: HeddleClient): Board;
}

/** Made once for each app. */
export function createShared(parts: AppParts): Shared {
  const boards = new WeakMap<HeddleClient, Board>();
  return {
    parts,
    limits: {
      requests: new RateLimit(20, 1_000),
      writes: new RateLimit(5, 1_000),
      badTokens: new RateLimit(10, 60_000),
      streams: new StreamLimit(),
    },
    meters: { requests: new Meter(), eventLag: new Meter() },
    looks: new RecentLooks(),
    boardOf(client) {
      const board = boards.get(client) ?? new Board(client);
      boards.set(client, board);
      return board;
    },
  };
}
