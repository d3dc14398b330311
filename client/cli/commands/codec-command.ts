import { resolve } from 'node:path';
import { formatCount } from '../../../domain/text/text.ts';
import { addNewKey } from '../../codec/new-key.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';

/** `heddle codec new-key FILE`: the key itself is never printed. */
export function newKeyCommand({ ports, output }: Context, name: string): number {
  const file = resolve(ports.cwd, name);
  const { id, keys } = addNewKey(file);
  if (output.json) output.data({ file, id, keys });
  else
    output.print(
      `${plainLine(file)} has ${formatCount(keys, 'key')}; ${id} encrypts from now on, the others decrypt.`,
      'Set HEDDLE_CODEC_KEYS to this file for every worker and command. Keep a copy: without it nobody can read the tasks.',
    );
  return exits.done;
}
