import { planLimits } from '../input/limits.ts';
import { clip } from '../text/text.ts';

/** Returns the project's name from the input of its workflow, or else from the workflow's id. */
export function resolveProjectName(input: unknown, workflowId: string): string {
  const given = typeof input === 'object' && input !== null && 'project' in input ? input.project : undefined;
  const name = typeof given === 'string' && given.trim() !== '' ? given : workflowId.replace(/^project-/, '');
  return clip(name, planLimits.name);
}
