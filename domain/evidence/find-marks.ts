/** A mark in a text such as `[gather/E3]`, or `[E3]` for a record of the subtask itself. */
const mark = /\[(?:([\p{L}\p{M}\p{Nd}._-]{1,64})\/)?E(\d{1,6})\]/gu;

/** Lists the records that a text cites, each once, in their order. */
export function findMarks(text: string, subtask: string): string[] {
  const ids = new Set<string>();
  for (const [, owner, number] of text.matchAll(mark))
    ids.add(`${(owner ?? subtask).normalize('NFC')}/E${Number(number)}`);
  return [...ids];
}
