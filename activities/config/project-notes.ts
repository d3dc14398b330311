import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { formatBytes } from '../../domain/text/bytes.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { isSystemError } from '../system/system-error.ts';
import { identifyFolder } from './folder-identity.ts';
import { foldersUpwards, isTrustedIdentity, type TrustLocation } from './trusted-folder.ts';

/** The file in which a project tells agents how to work on it. */
export const notesFile = 'AGENTS.md';

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Reads the notes of a project: the nearest `AGENTS.md` from the workspace up to the root of its repository. Undefined where there is none,
 * and where its folder is not trusted with exactly this file: anybody who can write it could steer every agent. A link is never followed.
 */
export async function readProjectNotes(plan: unknown, location: TrustLocation): Promise<string | undefined> {
  for (const folder of await foldersUpwards(location.workspace)) {
    const notes = await readStart(join(folder, notesFile));
    if (notes === undefined) continue;
    // After it was read: a file that changed meanwhile is another folder's.
    const identity = await identifyFolder(folder);
    const isTrusted = identity !== undefined && (await isTrustedIdentity(plan, identity, location.root));
    return isTrusted ? notes : undefined;
  }
  return undefined;
}

/** As much of a file as agents are told, and a line about the rest; undefined for what is no file that can be read. */
async function readStart(path: string): Promise<string | undefined> {
  const file = await open(path, flags).catch((error: unknown) => {
    if (isSystemError(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const most = activityLimits.agent.projectNotes;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    // A character that the limit cuts in two is left out.
    const text = new StringDecoder('utf8').write(buffer.subarray(0, bytesRead)).trim();
    if (text === '') return undefined;
    if (stats.size <= most) return text;
    return `${text}\n\n[Only the first ${formatBytes(most)} of ${formatBytes(stats.size)} are shown.]`;
  } finally {
    await file.close();
  }
}
