import type { FrozenConfig } from '../../domain/config/layers.ts';
import { listPlanVariables } from '../../domain/planner/task-variables.ts';
import { readProjectNotes } from '../config/project-notes.ts';
import type { TrustLocation } from '../config/trusted-folder.ts';
import { redactKnownSecrets } from '../redact/known-secrets.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';

interface Freezing extends TrustLocation {
  secrets: Secrets;
  store: Pick<Store, 'put'>;
}

/**
 * Puts the project's notes into the store once, when a task starts, without secrets: each attempt and each new plan is told the same,
 * whatever becomes of the file. Only a task with models has a use for them.
 */
export async function freezeNotes(
  plan: unknown,
  config: FrozenConfig,
  { secrets, store, ...location }: Freezing,
): Promise<Pick<FrozenConfig, 'projectNotes'>> {
  if (config.models.length === 0) return {};
  const notes = await readProjectNotes(plan, location);
  if (notes === undefined) return {};
  const redactor = secrets.redactor(listPlanVariables(plan, config), config.values.redact?.harmless);
  return { projectNotes: await store.put(redactKnownSecrets(redactor.text(notes))) };
}
