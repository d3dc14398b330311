import { limits } from '../limits/domain-limits.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { LastTry, Outcome } from '../types/outcome.ts';
import { runningRecord } from './running-record.ts';

/** Adds what an execution spent and did to the record of its attempt. */
export function countUse(
  task: RunningTask,
  id: string,
  outcomeFacts: Pick<LastTry, 'used' | 'reruns' | 'output'> &
    Partial<Pick<Outcome, 'models' | 'transcript' | 'refusals' | 'gated' | 'session' | 'denied'>> &
    Partial<Pick<Outcome, 'failedCalls' | 'toolFailures' | 'repositories' | 'lessons' | 'readOutside' | 'evidence'>>,
): void {
  const { used, reruns, output = null, models, transcript, refusals = [], gated, session, denied } = outcomeFacts;
  const { failedCalls, toolFailures, repositories = [], lessons, readOutside, evidence } = outcomeFacts;
  const record = runningRecord(task.state, id);
  task.record({
    type: 'attempt.used',
    subtask: id,
    used,
    reruns,
    output,
    ...(models === undefined ? {} : { models: models.slice(0, limits.recordedModels) }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(gated === undefined ? {} : { gated }),
    ...(session === undefined ? {} : { session }),
    ...(denied === undefined ? {} : { denied: denied.slice(0, limits.recordedDenials) }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(failedCalls === undefined ? {} : { failedCalls }),
    ...(toolFailures === undefined ? {} : { toolFailures: toolFailures.slice(0, limits.recordedToolFailures) }),
    ...(readOutside === undefined ? {} : { readOutside }),
    ...(lessons === undefined ? {} : { lessons: lessons.slice(0, limits.lessons.mostRecalled) }),
  });
  for (const { tool, why } of refusals.slice(0, limits.toldRefusals - (record.refusals ?? 0)))
    task.record({ type: 'tool.refused', subtask: id, attempt: record.attempt, tool, why });
  for (const { path, state, removed } of repositories)
    task.record({ type: 'repository.changed', subtask: id, attempt: record.attempt, path, state, removed });
  if (reruns > record.reruns) task.record({ type: 'attempt.rerun', subtask: id, attempt: record.attempt, reruns });
}
