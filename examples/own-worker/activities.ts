import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An activity of ours that does a subtask: it is given what a program would be given, and answers with the completion contract. */
export async function countWords(input: { workspace: string }) {
  const text = await readFile(join(input.workspace, 'notes.md'), 'utf8');
  return { status: 'success', notes: `${text.trim().split(/\s+/).length} words`, deliverablesTouched: [] };
}
