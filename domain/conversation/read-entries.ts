import { entrySchema, type LogEntry } from './entry.ts';

export interface ReadLog {
  entries: LogEntry[];
  /** The last line was cut off while it was written: it never counted. */
  torn: boolean;
}

/** The log as it was written. A line in the middle that cannot be read is nobody's to skip: what it held was answered or done. */
export function readEntries(text: string): ReadLog | { damaged: number } {
  const lines = text.split('\n');
  const torn = lines.pop() !== '';
  const entries: LogEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = readEntry(line);
    // A power cut leaves such a line when it was never synced: its length, and zeros for a part of it.
    if (entry === undefined && index === lines.length - 1 && line.includes('\0')) return { entries, torn: true };
    if (entry === undefined) return { damaged: index + 1 };
    entries.push(entry);
  }
  return entries.length > 0 && entries[0]?.k !== 'frame' ? { damaged: 1 } : { entries, torn };
}

function readEntry(line: string): LogEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

export const writeEntry = (entry: LogEntry): string => `${JSON.stringify(entry)}\n`;
