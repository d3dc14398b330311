import type { ComposeActivities, ComposedCall, ComposeInput } from '../../domain/types/compose-call.ts';
import { boundCall } from '../../domain/prompts/compose-call.ts';
import { buildPrompt } from '../../domain/prompts/prompt.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { listShown, recallForAttempt } from '../memory/recall-lessons.ts';
import type { Store } from '../store/store.ts';
import { toFailure } from '../temporal/failure.ts';
import { loadPromptEvidence } from '../evidence/prompt-evidence.ts';
import { loadResults } from '../pages/load-results.ts';
import { definitionFrom } from '../pages/plan-pages.ts';

/** The activity `composeCall`: what an activity of the user's own is told, since it cannot read our store. */
export function createComposeCall(store: Pick<Store, 'get'>): ComposeActivities['composeCall'] {
  return async function composeCall(input) {
    try {
      return await compose(store, input);
    } catch (error) {
      // An object that is gone from the store does not come back by itself; trouble with the disk may pass.
      throw toFailure(error);
    }
  };
}

async function compose(store: Pick<Store, 'get'>, input: ComposeInput): Promise<ComposedCall> {
  const { goal, subtask } = await definitionFrom(store, input.plan, input.subtaskId);
  const dependencies = await loadResults(store, input.inputs);
  const { attempt, context, workspace: folder = '' } = input;
  const evidence = await loadPromptEvidence(store, { subtask, input, folder });
  const lessons = await recallForAttempt(store, { goal, subtask, context });
  const texts = lessons.map(({ text }) => text);
  const prompt = buildPrompt({ goal, subtask, attempt, context, dependencies, lessons: texts, evidence });
  const call = boundCall(prompt, dependencies, {
    prompt: activityLimits.composedPrompt,
    inputs: activityLimits.composedInputs,
  });
  return lessons.length === 0 ? call : { ...call, lessons: listShown(lessons) };
}
