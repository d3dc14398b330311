import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An activity of your own that does a subtask. It gets the same input as a program, and returns the completion contract. */
export async function countWords(input: { workspace: string }) {
  const text = await readFile(join(input.workspace, 'notes.md'), 'utf8');
  return { status: 'success', notes: `${text.trim().split(/\s+/).length} words`, deliverablesTouched: [] };
}
