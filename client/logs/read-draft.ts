import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { draftName } from '../../domain/names/names.ts';

/** The reply that a running agent's model is giving: the number of its turn, and its lines so far. */
export interface Draft {
  turn: number;
  text: string;
}

/** Reads the draft beside the output of a running attempt; undefined where there is none. */
export async function readDraft(outputPath: string): Promise<Draft | undefined> {
  try {
    const whole = await readFile(join(dirname(await realpath(outputPath)), draftName), 'utf8');
    const end = whole.indexOf('\n');
    return end < 0 ? undefined : { turn: Number(whole.slice(0, end)), text: whole.slice(end + 1) };
  } catch {
    // Only running agents have one, and no trouble with it stops the reading of the output.
    return undefined;
  }
}
