import { InvalidArgumentError, Option } from 'commander';
import type { Context } from '../shared/context.ts';

export interface ProgramOptions {
  context: Context;
  /** The exit code of the command that ran. */
  onExit: (code: number) => void;
  /** Takes the text that commander itself prints: help and version. */
  write: (text: string) => void;
}

export const configOption = (): Option =>
  new Option('-c, --config <key=value>', 'a setting of heddle.toml for this call; can be repeated').argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );

export const processOption = (): Option =>
  new Option('--process <name>', 'the process that the task follows: its name, or the path of its file');

export const setOption = (): Option =>
  new Option('--set <key=value>', 'the value of an input of the process; can be repeated').argParser(
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );

export const verifyOption = (): Option =>
  new Option(
    '--verify <command>',
    'a shell command that checks the result of the whole task; can be repeated',
  ).argParser((value: string, before: string[] | undefined) => {
    if (value.trim() === '') throw new InvalidArgumentError('It must be a shell command.');
    return [...(before ?? []), value];
  });

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
