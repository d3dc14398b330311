import type { ComposeActivities } from '../../domain/types/compose-call.ts';
import { keepAttempt, openPage, type KeepParts } from '../evidence/keep-attempt.ts';
import { definitionFrom } from '../pages/plan-pages.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';
import type { Secrets } from '../redact/secrets.ts';
import { toFailure } from '../temporal/failure.ts';

interface KeepEvidenceParts extends Pick<KeepParts, 'store' | 'root'> {
  secrets: Secrets;
}

/** The activity `keepEvidence`: confirms the records of an activity of the user's own, which has neither our store nor the workspace. */
export function createKeepEvidence({ store, root, secrets }: KeepEvidenceParts): ComposeActivities['keepEvidence'] {
  return async function keepEvidence(input) {
    try {
      const { variables, readRoots } = await definitionFrom(store, input.plan, input.subtaskId);
      const redactor = secrets.redactor(variables);
      const redact = (text: string): string => redactKnownSecrets(redactor.text(text));
      const parts = { store, root, environment: secrets.environment, redact };
      const attempt = { ...input, folder: input.workspace, isolated: false, readRoots };
      const page = await openPage(store, input);
      return (await keepAttempt(parts, attempt, { page, given: { by: 'program', drafts: input.records } })) ?? null;
    } catch (error) {
      throw toFailure(error);
    }
  };
}
