import type { ExecuteInput, Execution, VerifyInput, Verdict } from '../domain/model/attempt.ts';
import type { Ref } from '../domain/model/ref.ts';
import type { LoggedEvent } from '../domain/model/events.ts';
import type { Lesson } from '../domain/model/memory.ts';
import type { Task } from '../domain/model/task.ts';
import type { TaskInput } from './messages.ts';

/** Activities as the workflow calls them. The room `activities/` implements these and nothing else is shared. */
export interface SharedActivities {
  prepareTask(input: { taskId: string; plan: TaskInput }): Promise<Task>;
  cancelTask(): Promise<void>;
  rememberTask(input: { project: string; lesson: Lesson }): Promise<void>;
}

/** These need the workspace or the store of its host and run on the host's own queue. */
export interface HostActivities {
  executeSubtask(input: ExecuteInput): Promise<Execution>;
  verifySubtask(input: VerifyInput): Promise<Verdict>;
  archiveEvents(input: { taskId: string; events: LoggedEvent[] }): Promise<Ref>;
}
