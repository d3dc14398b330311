import { open } from 'node:fs/promises';

/** A file that lines are added to. */
export interface LogFile {
  append(text: string): Promise<void>;
  /** The bytes survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export async function openLogFile(path: string): Promise<LogFile> {
  const file = await open(path, 'a', 0o600);
  return {
    append: (text) => file.appendFile(text),
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}
