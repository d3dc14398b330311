import { planLimits } from '../input/limits.ts';
import { clip } from '../text/text.ts';

/** The project's name as its workflow was started with it; the id says it too, when somebody started it with something else. */
export function resolveProjectName(input: unknown, workflowId: string): string {
  const given = typeof input === 'object' && input !== null && 'project' in input ? input.project : undefined;
  const name = typeof given === 'string' && given.trim() !== '' ? given : workflowId.replace(/^project-/, '');
  return clip(name, planLimits.name);
}
