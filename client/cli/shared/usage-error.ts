import type { CommanderError } from 'commander';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

/** Bad usage in the form of every other error. */
export function usageError(message: string, options: { where?: string; hint?: string } = {}): HeddleError {
  return new HeddleError({ code: 'USAGE', message, ...options });
}

/** Reads commander's message on bad usage: `error: …`, and on a second line what was perhaps meant. */
export function fromCommander(error: CommanderError, command: string): HeddleError {
  const [first = '', ...more] = error.message.split('\n');
  const suggestion = /\(Did you mean (?:one of )?(.+)\?\)/.exec(more.join('\n'))?.[1];
  const help = `\`${command} --help\` shows the usage.`;
  const message = first.replace(/^error: /, '');
  return usageError(`${message.charAt(0).toUpperCase()}${message.slice(1)}`, {
    hint: suggestion === undefined ? help : `Did you mean ${suggestion}? ${help}`,
  });
}
