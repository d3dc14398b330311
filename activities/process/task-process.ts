import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { isTable } from '../../domain/input/is-table.ts';
import { valueAt } from '../../domain/input/problem.ts';
import { readDefinition } from '../../domain/process/read-process.ts';
import type { Process } from '../../domain/process/parse-process.ts';
import { canonicalJson } from '../../domain/text/canonical-json.ts';
import type { ProcessView } from '../../domain/types/process.ts';
import { sha256 } from '../system/hash-file.ts';
import { findProcess, type IsTrusted } from './find-process.ts';

/** The process of a task, and what people are told about it. */
export interface TaskProcess {
  process: Process;
  view: ProcessView;
}

export interface TaskProcessPlace {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** `[processes] paths` of the config: absolute. */
  paths: readonly string[];
  isTrusted: IsTrusted;
}

/** Reads the process that a plan names, or that came with it; undefined for a plan without one. */
export async function readTaskProcess(sent: unknown, place: TaskProcessPlace): Promise<TaskProcess | undefined> {
  const choice = valueAt(sent, ['process']);
  if (choice === undefined) return undefined;
  if (isTable(choice)) return describe(readDefinition(choice['definition'], String(choice['name'])), 'given');
  if (typeof choice !== 'string')
    throw new HeddleError({ code: 'PLAN_WRONG_TYPE', message: '`process` should be a name.', where: 'process' });
  const { isTrusted, ...where } = place;
  const userFile = valueAt(sent, ['config', 'userFile']);
  const file = typeof userFile === 'string' ? { userFile } : {};
  const { process, from } = await findProcess(choice, { ...where, ...file }, isTrusted);
  return describe(process, from);
}

/** The hash is that of the content, so a process is the same one as a file and in the input of a task. */
export function describe(process: Process, from: ProcessView['from']): TaskProcess {
  const { name, mode = 'guided' } = process.checked;
  return { process, view: { name, sha256: sha256(canonicalJson(process.definition)), from, mode } };
}
