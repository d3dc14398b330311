import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { HeddleError, type Problem } from '../../domain/errors/heddle-error.ts';
import type { Model } from '../../domain/types/llm.ts';
import { formatUnreadable } from '../../domain/input/file-text.ts';
import { loadScript } from '../llm/scripted/script.ts';
import { systemCode } from '../system/system-error.ts';

/** Scripts of scripted models that are not there or that nobody could play. They are read again at each call: people correct them. */
export async function findScriptProblems(models: Iterable<Model>): Promise<Problem[]> {
  const providers = new Map([...models].map(({ provider }) => [provider.name, provider]));
  const problems: Problem[] = [];
  for (const { name, script } of providers.values()) {
    if (script === undefined) continue;
    const why = await whyUnreadable(script);
    const problem = why === undefined ? await findMistake(script) : notThere(name, script, why);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

const notThere = (name: string, script: string, why: string): Problem => ({
  code: 'SCRIPT_INVALID',
  message: `The script ${script} of the provider ${name} ${why}`,
  where: `providers.${name}.script`,
  hint: 'Correct `script`; a relative path starts at the folder of the file that names it.',
});

async function findMistake(script: string): Promise<Problem | undefined> {
  try {
    await loadScript(script);
    return undefined;
  } catch (error) {
    if (error instanceof HeddleError) return error.toJSON();
    throw error;
  }
}

/** Nothing that passes by itself. */
const lasting = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'];

/** Looked at without opening it: a pipe would wait for its other end. */
async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    return stats.isFile() ? undefined : 'is not a file';
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (!lasting.includes(code)) throw error;
    return formatUnreadable(code);
  }
}
