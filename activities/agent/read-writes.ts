import type { FileWrite } from '../../domain/workspace/tool-writes.ts';
import { DamagedConversation, readLog } from './resume-conversation.ts';

/** What the file tools of an attempt's earlier executions wrote, or were about to. Undefined where its log cannot be read. */
export async function readWrites(path: string, startedAt: string): Promise<FileWrite[] | undefined> {
  try {
    const entries = await readLog(path, startedAt);
    return entries.flatMap((entry) => (entry.k === 'claim' ? entry.effect.files : []));
  } catch (error) {
    // Whoever resumes it reports this.
    if (error instanceof DamagedConversation) return undefined;
    throw error;
  }
}
