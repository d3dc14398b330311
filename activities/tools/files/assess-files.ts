import { assessWrite } from '../../../domain/gates/assess-write.ts';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import type { CallEffect, ToolContext } from '../common/tool.ts';

/** By all the places that it changes, as they were found: what is judged is what is done. */
export function assessFiles(tool: string, { gates }: ToolContext, { files }: CallEffect): Promise<GateRuling> {
  const paths = files.map(({ path }) => path);
  // Moved away, a folder is still there.
  const deletesFolder = files.length === 1 && files.some(({ before, after }) => after === null && isFolder(before));
  return Promise.resolve(assessWrite({ tool, paths, deletesFolder }, gates));
}

export const isFolder = (stamp: string | null): boolean => stamp?.startsWith('folder:') === true;
