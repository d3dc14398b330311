import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { canAnswer, loginOf, type LoginFile } from '../../domain/agent-clis/logins.ts';
import { presetNames, type PresetName } from '../../domain/executors/presets.ts';
import { valueAt } from '../../domain/input/problem.ts';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import type { CliProgram } from '../../domain/types/llm.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { baseEnvironment } from '../programs/base-environment.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import { isSystemError } from '../system/system-error.ts';
import type { SearchLocation } from './search-location.ts';

/** An agent program of this machine. */
export interface AgentProgram {
  name: PresetName;
  path: string;
  /** It can answer as a model; undefined where it only works as an executor. */
  model?: { program: CliProgram; isLoggedIn: boolean; command: string };
}

/** Finds the agent programs of this machine, and if they are logged in. It reads their files and variables, and starts or asks nobody. */
export async function findAgentPrograms({ value }: SearchLocation): Promise<AgentProgram[]> {
  const programs = presetNames.map(async (name): Promise<AgentProgram[]> => {
    const path = findOwnProgram(name, { path: value('PATH') });
    if (path === undefined) return [];
    if (!canAnswer(name)) return [{ name, path }];
    const { command } = loginOf(name);
    return [{ name, path, model: { program: name, isLoggedIn: await isLoggedIn(name, value), command } }];
  });
  return (await Promise.all(programs)).flat();
}

type Value = SearchLocation['value'];

async function isLoggedIn(program: CliProgram, value: Value): Promise<boolean> {
  const { variables, files } = loginOf(program);
  if (variables.some((name) => (value(name) ?? '') !== '')) return true;
  for (const file of files) {
    const { together } = file;
    if ((await holdsLogin(file, value)) && (together === undefined || (await holdsLogin(together, value)))) return true;
  }
  return false;
}

/** A file that cannot be read is no login. No content of such a file leaves this function. */
async function holdsLogin({ folder, variable, file, values, platform }: LoginFile, value: Value): Promise<boolean> {
  if (platform !== undefined && platform !== process.platform) return false;
  const own = variable === undefined ? '' : (value(variable) ?? '');
  const home = baseEnvironment({ HOME: value('HOME') })['HOME'] ?? '';
  const path = join(...(own === '' ? [home, ...folder] : [own, ...folder.slice(1)]), file);
  try {
    const { size } = await stat(path);
    if (size === 0 || size > activityLimits.discovery.loginBytes) return false;
    if (values.length === 0) return true;
    const content = tryParseJson(await readFile(path, 'utf8'));
    return values.some((keys) => isFilled(valueAt(content, keys)));
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
