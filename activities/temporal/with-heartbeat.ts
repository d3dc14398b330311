import { Context } from '@temporalio/activity';
import { Heartbeat } from './heartbeat.ts';

/** Runs an activity that tells Temporal every second that it lives: after a kill of its worker it is tried again within seconds, not at its time limit. */
export function withHeartbeat<Input, Result>(
  work: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const heartbeat = new Heartbeat(Context.current());
    try {
      return await work(input);
    } finally {
      heartbeat.stop();
    }
  };
}
