import type { GatedAction } from '../../types/agent.ts';
import { commandIn, isArgumentList } from './value-form.ts';

/** Why a person is asked, without the action itself. */
export function formatNeed(subtask: string, { why, cut, tool }: GatedAction): string {
  const where = tool === 'command' ? 'the plan' : '`heddle logs` with `--transcript`';
  const more = cut === true ? ` It is too long to be shown as a whole; ${where} has all of it.` : '';
  return `${subtask} needs your approval. ${why}${more}`;
}

/** The action as a person would type it: a command as it is, any other call with its arguments as JSON. */
export function formatAction({ tool, arguments: given }: Pick<GatedAction, 'tool' | 'arguments'>): string {
  if (isArgumentList(given)) return formatWords(given);
  if (tool === 'git' && hasArgs(given)) return formatWords(['git', ...given.args]);
  if (tool === 'shell') {
    const command = commandIn(given);
    if (command !== undefined) return command;
  }
  return `${tool} ${JSON.stringify(given, null, 2)}`;
}

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;

const hasArgs = (given: unknown): given is { args: string[] } =>
  isObject(given) && 'args' in given && isArgumentList(given.args) && Object.keys(given).length === 1;

/** Quoted where a shell would read more than a word. */
const formatWords = (args: readonly string[]): string =>
  args.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** An example of a value that takes the place of the arguments: these themselves, where they are short. */
export function exampleValue({ arguments: given, cut }: GatedAction, otherwise: string): string {
  const json = JSON.stringify(given);
  return cut === true || json.length > shortArguments ? otherwise : json;
}

/** A person changes these in place. */
const shortArguments = 300;
