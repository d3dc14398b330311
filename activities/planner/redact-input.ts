import { listProviderVariables } from '../../domain/agent-clis/text-calls.ts';
import type { PlanBrief } from '../../domain/planner/planner-input.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';
import type { Secrets } from '../redact/secrets.ts';

/** Keeps secrets from a model that plans: the keys of all models, the given variables, and all that has the form of a secret. */
export function createRedact(
  secrets: Secrets,
  { models, values }: PlanBrief['config'],
  variables: readonly string[] = [],
): (text: string) => string {
  const keys = models.flatMap(({ provider }) => listProviderVariables(provider));
  const redactor = secrets.redactor([...keys, ...variables], values.redact?.harmless);
  return (text) => redactKnownSecrets(redactor.text(text));
}
