import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Attempt } from '../../domain/attempt/begin-attempt.ts';
import { takeDiagnosed } from '../../domain/attempt/diagnose.ts';
import { dropStale } from '../../domain/replan/replan.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { Grant } from '../../domain/types/agent.ts';
import type { Diagnosed, DiagnoseInput } from '../../domain/types/planner.ts';
import { settingsOf } from '../../domain/task/read-state.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { diagnoseOptions } from './activity-options.ts';
import type { TaskRun } from './run/task-run.ts';

/** A model looks at the failures before the attempt begins. A failed diagnosis never fails the attempt. Null: a new plan stopped it. */
export async function diagnose(
  run: TaskRun,
  id: string,
  { begun, grant, about }: { begun: Attempt; grant: Grant; about: Omit<DiagnoseInput, 'brief' | 'grant'> },
): Promise<Attempt | null> {
  const settings = settingsOf(run.state);
  const { brief } = settings;
  if (brief === undefined) return takeDiagnosed(run, id, begun, nothing);
  const input = { ...about, brief, grant };
  await run.work.admit(utf8Length(JSON.stringify(input)));
  const diagnosed = await proxyActivities<HostActivities>(diagnoseOptions(settings, begun))
    .diagnoseFailure(input)
    .catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      return nothing;
    });
  const next = takeDiagnosed(run, id, begun, diagnosed);
  return dropStale(run, id) ? null : next;
}

const nothing: Diagnosed = { diagnosis: null, used: nothingUsed, models: [] };
