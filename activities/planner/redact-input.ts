import type { PlanBrief } from '../../domain/planner/planner-input.ts';
import type { Variables } from '../programs/base-environment.ts';
import { redactorFor } from '../programs/redact-secrets.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';

/** What keeps secrets from a model that plans: the keys of all models, the given variables, and whatever has the form of one. */
export function createRedact(
  env: Variables,
  { models, values }: PlanBrief['config'],
  variables: readonly string[] = [],
): (text: string) => string {
  const keys = models.flatMap(({ provider: { keyEnv } }) => (keyEnv === undefined ? [] : [keyEnv]));
  const redactor = redactorFor(env, [...keys, ...variables], values.redact?.harmless);
  return (text) => redactKnownSecrets(redactor.text(text));
}
