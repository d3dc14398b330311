import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { duration, map, name } from '../input/values.ts';
import { executorExpected, timeoutKey } from './keys.ts';
import { executorKind } from './kind.ts';

const schema = map(
  {
    /** Calls your own Temporal activity, in any language. */
    kind: z.literal('activity'),
    /** Type of the activity. */
    name: name('the name of an activity'),
    /** Queue that its worker polls. */
    taskQueue: name('the name of a task queue'),
    /**
     * Time limit of an attempt.
     *
     * @defaultValue `30m`
     */
    timeout: timeoutKey,
    /**
     * Silence after which its worker counts as dead.
     *
     * @defaultValue none: only the time limit shows a dead worker
     */
    heartbeat: duration(planLimits.timeout).exactOptional(),
  },
  executorExpected,
);

export interface ActivityExecutor {
  kind: 'activity';
  name: string;
  taskQueue: string;
  timeout: number;
  /** Silence after which its worker counts as dead; by default only the time limit ends the attempt of a dead worker. */
  heartbeat?: number;
}

/** A Temporal activity of the user's own, on a worker of theirs, which may work anywhere. */
export const activity = executorKind({
  about: 'an `activity` executor',
  schema,
  complete: (given, defaults): ActivityExecutor => ({
    kind: 'activity',
    name: given.name,
    taskQueue: given.taskQueue,
    timeout: given.timeout ?? defaults.timeout,
    ...(given.heartbeat === undefined ? {} : { heartbeat: given.heartbeat }),
  }),
  needs: () => ({ programs: [], variables: [], models: [] }),
  variables: () => [],
  buildCall: (executor) => executor,
  inWorkspace: false,
});
