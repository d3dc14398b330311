import { Context } from '@temporalio/activity';
import { readPlainText } from '../../domain/decisions/plain-text.ts';
import { limits } from '../../domain/limits.ts';
import type { Phrased, PhraseInput } from '../../domain/model/planning.ts';
import type { Subtask } from '../../domain/model/subtask.ts';
import { aside } from '../../domain/models/model-call.ts';
import { phraseRequest } from '../../domain/planning/phrase.ts';
import { asFailure } from '../execute/as-failure.ts';
import { askOnce } from './ask-once.ts';
import type { PlanParts } from './plan-task.ts';

const { output, requests, timeout } = limits.phrase;

/** The activity `phraseEscalation`: a model says to a person why the work stands still. Only what is plain English is told. */
export function createPhraseEscalation(parts: PlanParts): (input: PhraseInput) => Promise<Phrased> {
  return async function phraseEscalation(input) {
    const { cancellationSignal: signal } = Context.current();
    const request = (definition: Subtask): string => phraseRequest(definition, input);
    try {
      const { said, ...spent } = await askOnce(
        parts,
        input,
        { prompt: 'escalation', request, output, requests, timeout, part: aside },
        signal,
      );
      return { problem: said === null ? null : readPlainText(said), ...spent };
    } catch (error) {
      signal.throwIfAborted();
      throw asFailure(error);
    }
  };
}
