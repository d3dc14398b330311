import { CancellationScope, condition, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { beginExtractions, isLearning, takeExtracted } from '../../domain/attempt/extraction.ts';
import { buildExtractionContext } from '../../domain/attempt/lesson-context.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { pageOf, settingsOf } from '../../domain/task/read-state.ts';
import { utf8Length } from '../../domain/text/text.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Extracted, Extraction } from '../../domain/types/extraction.ts';
import { extractOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/** Name of this work beside the attempts: no subtask is called so. */
const extractionName = '\u0000extraction';

/** Subtasks have ended that a model may learn from. */
export function startExtractions(run: TaskRun): void {
  for (const extraction of beginExtractions(run)) run.work.startBehind(extractionName, () => extract(run, extraction));
}

/** The end of a task waits for its last lessons, for a moment. What is decided does not change any more. */
export async function finishExtractions(run: TaskRun): Promise<void> {
  startExtractions(run);
  if (!isLearning(run.state)) return;
  run.publish();
  await CancellationScope.nonCancellable(() =>
    condition(() => !isLearning(run.state), limits.lessons.endWait, { summary: 'a model learns from the task' }),
  );
  run.work.stop(extractionName);
}

/** A failed request changes nothing: the task has learned nothing. */
async function extract(run: TaskRun, extraction: Extraction): Promise<void> {
  try {
    takeExtracted(run, extraction, await ask(run, extraction).catch(() => nothing));
  } catch (error) {
    run.work.failWorkflowTask(error);
  } finally {
    run.work.endedBehind();
  }
}

async function ask(run: TaskRun, { material, grant }: Extraction): Promise<Extracted> {
  const { state } = run;
  const settings = settingsOf(state);
  const lessons = buildExtractionContext(state);
  if (lessons === undefined) return nothing;
  const { subtask, attempt } = material;
  const { sha256, bytes } = pageOf(state, subtask);
  const { firstExecutionRunId: chain } = workflowInfo();
  const key = { taskId: state.id, subtaskId: subtask, attempt, chain, plan: { sha256, bytes } };
  const input = { ...key, material, lessons, grant };
  await run.work.admit(utf8Length(JSON.stringify(input)));
  return proxyActivities<HostActivities>(extractOptions(settings, subtask, attempt)).extractLessons(input);
}

const nothing: Extracted = { lessons: [], used: nothingUsed, models: [] };
