import { Context } from '@temporalio/activity';
import { Heartbeat } from './heartbeat.ts';

/** The heartbeats of running activities, by their context. */
const heartbeats = new WeakMap<Context, Heartbeat>();

/** Shows people what the running activity does now; it goes out with the next heartbeat. */
export const noteProgress = (line: string): void => heartbeats.get(Context.current())?.note({ line });

/** Runs an activity that tells Temporal every second that it lives: after a kill of its worker it is tried again within seconds, not at its time limit. */
export function withHeartbeat<Input, Result>(
  work: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const context = Context.current();
    const heartbeat = new Heartbeat(context);
    heartbeats.set(context, heartbeat);
    try {
      return await work(input);
    } finally {
      heartbeat.stop();
    }
  };
}
