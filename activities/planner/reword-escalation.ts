import { Context } from '@temporalio/activity';
import { readPlainText } from '../../domain/decisions/options/plain-text.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { RewordingResult, RewordingInput } from '../../domain/types/planner.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { aside } from '../../domain/llm/model-call.ts';
import { rewordingRequest } from '../../domain/planner/rewording-reply.ts';
import { toFailure } from '../temporal/failure.ts';
import { askOnce, askPlanner } from './ask-once.ts';
import type { PlanParts } from './plan-task.ts';

const { output, requests, timeout } = limits.phrase;

/** The activity `phraseEscalation`: a model says to a person why the work stands still. Only what is plain English is told. */
export function createRewordEscalation(parts: PlanParts): (input: RewordingInput) => Promise<RewordingResult> {
  return async function phraseEscalation(input) {
    const { cancellationSignal: signal } = Context.current();
    const request = (definition: Subtask): string => rewordingRequest(definition, input);
    try {
      const { replyText, ...spent } = await askOnce(
        parts,
        input,
        {
          ...{ prompt: 'escalation', ...(await askPlanner(parts.store, input.brief)) },
          ...{ request, output, requests, timeout, part: aside },
        },
        signal,
      );
      return { problem: replyText === null ? null : readPlainText(replyText), ...spent };
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error);
    }
  };
}
