import type { OutsideFile } from '../../domain/types/basic/workspace.ts';

/** Why snapshots do not hold a file or folder. */
export const outsideReasons: Readonly<Record<OutsideFile['why'], string>> = {
  large: 'too large',
  unreadable: 'not readable',
  'was-ignored': 'existed before, and is ignored',
  generated: 'changed; snapshots leave out generated folders',
  'not-merged': 'made in the copy of a subtask, and not merged: the workspace has one already',
};
