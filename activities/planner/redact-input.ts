import { listProviderVariables } from '../../domain/agent-clis/text-calls.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';
import type { Secrets } from '../redact/secrets.ts';

/** The part of a task's config that a question to a model needs. */
export type AskerConfig = Pick<FrozenConfig, 'models' | 'values'>;

/** Keeps secrets from a model that plans: the keys of all models, the given variables, and all that has the form of a secret. */
export function createRedact(
  secrets: Secrets,
  { models, values }: AskerConfig,
  variables: readonly string[] = [],
): (text: string) => string {
  const keys = models.flatMap(({ provider }) => listProviderVariables(provider));
  const redactor = secrets.redactor([...keys, ...variables], values.redact?.harmless);
  return (text) => redactKnownSecrets(redactor.text(text));
}
