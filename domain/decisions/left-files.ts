import { limits } from '../limits/domain-limits.ts';
import type { FileState } from '../types/basic/ref.ts';
import { formatCount, formatList } from '../text/text.ts';

/** Files that failed attempts of a subtask left changed in the workspace, oldest attempt first: each file once, against its state before all of them. */
export function leftFiles(attempts: readonly { files: readonly FileState[] }[]): FileState[] {
  const left = new Map<string, FileState>();
  for (const { files } of attempts) {
    for (const file of files) {
      if (file.state === 'unchanged' || file.state === 'missing') continue;
      const isNew = left.get(file.path)?.state === 'created';
      if (isNew && file.state === 'deleted') left.delete(file.path);
      else left.set(file.path, isNew ? { ...file, state: 'created' } : file);
    }
  }
  return [...left.values()].slice(0, limits.leftFiles);
}

/** One sentence about what failed attempts left changed; none where they left nothing. */
export function formatLeftFiles(files: readonly FileState[] = [], most: number): string[] {
  if (files.length === 0) return [];
  const names = files.map(({ path, state, lines }) => {
    const size = state === 'deleted' ? '' : `, ${formatCount(lines, 'line')}`;
    return `${path} (${state}${size})`;
  });
  return [`Left changed by failed attempts: ${formatList(names, most)}.`];
}
