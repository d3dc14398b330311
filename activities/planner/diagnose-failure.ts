import { Context } from '@temporalio/activity';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { DiagnoseInput, Diagnosed } from '../../domain/types/planner.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { diagnosisRequest, readDiagnosis } from '../../domain/planner/diagnosis.ts';
import { toFailure } from '../temporal/failure.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { askOnce, askPlanner } from './ask-once.ts';
import type { PlanParts } from './plan-task.ts';

const { output, requests } = limits.diagnosis;
const { requestTimeout: timeout } = activityLimits.planner;

/** The activity `diagnoseFailure`: one request, whose answer is kept. Trouble of the model is no trouble of the attempt. */
export function createDiagnoseFailure(parts: PlanParts): (input: DiagnoseInput) => Promise<Diagnosed> {
  return async function diagnoseFailure(input) {
    const { cancellationSignal: signal } = Context.current();
    const request = (definition: Subtask): string => diagnosisRequest(definition, input.failures);
    try {
      const { replyText, ...spent } = await askOnce(
        parts,
        input,
        { prompt: 'diagnosis', ...(await askPlanner(parts.store, input.brief)), request, output, requests, timeout },
        signal,
      );
      return { diagnosis: replyText === null ? null : readDiagnosis(replyText), ...spent };
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error);
    }
  };
}
