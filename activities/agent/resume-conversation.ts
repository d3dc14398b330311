import { readFile } from 'node:fs/promises';

import type { LogEntry } from '../../domain/conversation/entry.ts';
import { readEntries, writeEntry } from '../../domain/conversation/read-entries.ts';
import { replaceFile } from '../system/durable-file.ts';
import { systemCode } from '../system/system-error.ts';
import { ConversationLog, type NewEntry } from './conversation-log.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import { openLogFile, type LogFile } from './log-file.ts';

/** Nobody knows what was answered or done after a line that cannot be read: a person looks before anything goes on. */
export class DamagedConversation extends Error {
  override readonly name = 'DamagedConversation';

  constructor(line: number) {
    super(`Line ${line} of the log of this conversation cannot be read, so nobody knows what was done after it.`);
  }
}

/** The frame of a conversation without its owner, which the log adds. */
export type FrameContent = Omit<NewEntry & { k: 'frame' }, 'k' | 'owner'>;

export interface ResumeParts {
  owner: Pick<ConversationOwner, 'key' | 'run' | 'log' | 'refuseUnlessOurs'>;
  /** Makes the frame of a new conversation. Not called when the owner has one already. */
  begin: () => Promise<FrameContent>;
  now?: () => number;
  openFile?: (path: string) => Promise<LogFile>;
}

/**
 * Takes the conversation over from the execution that led it before. The record that fences it names us already: an execution that
 * appends to the old file from now on sees that, and all that was appended before is read here. A new file takes the name, so that no
 * other execution writes into ours.
 */
export async function resumeConversation(parts: ResumeParts): Promise<ConversationLog> {
  const { owner, now = Date.now, openFile = openLogFile } = parts;
  const storedEntries = await readLog(owner);
  const entries: LogEntry[] =
    storedEntries.length > 0 ? storedEntries : [{ k: 'frame', owner: owner.key, ...(await parts.begin()), at: now() }];
  await replaceFile(owner.log, entries.map(writeEntry).join(''), { durable: true });
  const log = new ConversationLog({ file: await openFile(owner.log), entries, owner, now });
  try {
    await log.append({ k: 'segment', run: owner.run });
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** The entries of the owner's conversation so far; empty when it has none yet. */
export async function readLog({ log, key }: Pick<ConversationOwner, 'log' | 'key'>): Promise<LogEntry[]> {
  let text: string;
  try {
    text = await readFile(log, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const read = readEntries(text);
  if ('damaged' in read) throw new DamagedConversation(read.damaged);
  const [first] = read.entries;
  return first?.k === 'frame' && first.owner === key ? read.entries : [];
}
