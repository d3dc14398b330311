import type { FileWrite } from '../../domain/workspace/tool-writes.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import { DamagedConversation, readLog } from './resume-conversation.ts';

/** The writes that file tools made, or were about to make, in earlier executions. Undefined when the log cannot be read. */
export async function readWrites(owner: Pick<ConversationOwner, 'log' | 'key'>): Promise<FileWrite[] | undefined> {
  try {
    const entries = await readLog(owner);
    return entries.flatMap((entry) => (entry.k === 'claim' ? entry.effect.files : []));
  } catch (error) {
    // Resuming the conversation reports this.
    if (error instanceof DamagedConversation) return undefined;
    throw error;
  }
}
