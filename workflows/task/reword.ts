import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { buildPromptContext } from '../../domain/attempt/build-prompt-context.ts';
import { applyRewording } from '../../domain/decisions/escalate.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { RewordingResult } from '../../domain/types/planner.ts';
import { pageOf, settingsOf } from '../../domain/task/read-state.ts';
import type { Rewording } from '../../domain/task/state.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { rewordingOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/** A model looks for better words for a question that is open already. Whatever is wrong with it, the question keeps its own. */
export async function reword(run: TaskRun, rewording: Rewording): Promise<void> {
  try {
    applyRewording(run, rewording, await ask(run, rewording).catch(() => nothing));
  } catch (error) {
    run.work.failWorkflowTask(error);
  } finally {
    run.work.endedBehind();
  }
}

async function ask(run: TaskRun, { decision, subtask, attempt, grant }: Rewording): Promise<RewordingResult> {
  const { state } = run;
  const settings = settingsOf(state);
  const { brief } = settings;
  const problem = state.decisions.open.find(({ id }) => id === decision)?.problem;
  if (brief === undefined || problem === undefined) return nothing;
  const { sha256, bytes } = pageOf(state, subtask);
  const { firstExecutionRunId: chain } = workflowInfo();
  const failures = buildPromptContext(state, subtask).retry?.failures ?? [];
  const input = {
    ...{ taskId: state.id, subtaskId: subtask, attempt, chain, plan: { sha256, bytes } },
    ...{ brief, failures, problem, grant },
  };
  await run.work.admit(utf8Length(JSON.stringify(input)));
  return proxyActivities<HostActivities>(rewordingOptions(settings, subtask, attempt)).phraseEscalation(input);
}

const nothing: RewordingResult = { problem: null, used: nothingUsed, models: [] };
