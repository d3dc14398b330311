import { readFile } from 'node:fs/promises';

import type { LogEntry } from '../../domain/conversation/entry.ts';
import { readEntries, writeEntry } from '../../domain/conversation/read-entries.ts';
import { replaceFile } from '../system/durable-file.ts';
import { systemCode } from '../system/system-error.ts';
import { ConversationLog, type NewEntry } from './conversation-log.ts';
import { openLogFile, type LogFile } from './log-file.ts';

/** What was answered or done after a line that cannot be read is not known any more: a person looks before anything goes on. */
export class DamagedConversation extends Error {
  override readonly name = 'DamagedConversation';

  constructor(line: number) {
    super(
      `Line ${line} of the log of this attempt's conversation cannot be read, so nobody knows what was done after it.`,
    );
  }
}

export interface ResumeParts {
  path: string;
  /** Of the attempt: a log with another one is of an attempt from before a reset of the workflow. */
  startedAt: string;
  /** This start. */
  run: string;
  refuseUnlessOurs: () => Promise<void>;
  /** What the conversation begins with, where there is none. */
  begin: () => Promise<Omit<NewEntry & { k: 'frame' }, 'k' | 'startedAt'>>;
  now?: () => number;
  openFile?: (path: string) => Promise<LogFile>;
}

/**
 * Takes the conversation over from whoever led it before. The running record names us already: whoever appends to the old file from
 * now on sees that, and whatever was appended before is read here. A new file takes the name, so that nobody else writes into ours.
 */
export async function resumeConversation(parts: ResumeParts): Promise<ConversationLog> {
  const { path, startedAt, run, refuseUnlessOurs, now = Date.now, openFile = openLogFile } = parts;
  const storedEntries = await readLog(path, startedAt);
  const entries: LogEntry[] =
    storedEntries.length > 0 ? storedEntries : [{ k: 'frame', startedAt, ...(await parts.begin()), at: now() }];
  await replaceFile(path, entries.map(writeEntry).join(''), { durable: true });
  const log = new ConversationLog({ file: await openFile(path), entries, refuseUnlessOurs, now });
  try {
    await log.append({ k: 'segment', run });
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Empty where the attempt has no conversation yet. */
export async function readLog(path: string, startedAt: string): Promise<LogEntry[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const read = readEntries(text);
  if ('damaged' in read) throw new DamagedConversation(read.damaged);
  const [first] = read.entries;
  return first?.k === 'frame' && first.startedAt === startedAt ? read.entries : [];
}
