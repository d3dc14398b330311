import { inputError, type Declarations } from '../../domain/process/check-inputs.ts';
import type { InputValues } from '../../domain/process/templates.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';

/** Refuses paths that lead outside of the workspace through a link. They need not exist. */
export async function checkInputPaths(
  declarations: Declarations,
  values: InputValues,
  workspace: string,
): Promise<void> {
  const outside: string[] = [];
  for (const [name, { type }] of Object.entries(declarations)) {
    const value = values[name];
    if (type !== 'path' || typeof value !== 'string') continue;
    if ((await resolveInWorkspace(workspace, value)).kind === 'outside') outside.push(name);
  }
  if (outside.length === 0) return;
  throw inputError(
    outside.map((name) => ({
      code: 'INPUT_INVALID' as const,
      message: `The input \`${name}\` leads outside the workspace through a link.`,
      where: `inputs.${name}`,
      hint: 'Give a path that stays in the workspace, or remove the link.',
    })),
  );
}
