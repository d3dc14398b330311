import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { FilesPort } from '../ports/files.ts';

/** The output of an attempt, or why it cannot be shown here. */
export type AttemptOutput = { bytes: AsyncIterable<Uint8Array> } | 'nothing' | 'elsewhere' | 'damaged';

export const damagedText = 'its output is damaged: the stored file has changed';

type Files = Pick<FilesPort, 'readOutput' | 'liveLog'>;

/** Only agents have one. */
type WithTranscript = AttemptView & { transcriptRef?: string | null };

/** The whole output of an attempt: from the store once it has ended, so far from its file while it runs. */
export async function openOutput(files: Files, taskId: string, record: AttemptView): Promise<AttemptOutput> {
  if (record.outcome === 'running') {
    const live = await openLive(files, taskId, record);
    if (live !== undefined) return { bytes: readFrom(live.path, 0) };
    // It stands still: what it did so far was kept.
    return record.outputRef === null ? 'elsewhere' : openStored(files, record.outputRef);
  }
  return openStored(files, record.outputRef);
}

/** The whole conversation of an agent; each execution of an attempt keeps it when it ends. */
export async function openTranscript(files: Files, { transcriptRef }: WithTranscript): Promise<AttemptOutput> {
  return openStored(files, transcriptRef ?? null);
}

async function openStored(files: Files, sha256: string | null): Promise<AttemptOutput> {
  if (sha256 === null) return 'nothing';
  const stream = await files.readOutput(sha256).catch((error: unknown) => {
    if (error instanceof HeddleError && error.code === 'STORE_DAMAGED') return 'damaged' as const;
    throw error;
  });
  if (stream === 'damaged') return stream;
  return stream === undefined ? 'elsewhere' : { bytes: asBytes(stream) };
}

export interface LiveFile {
  path: string;
  /** Another one: the attempt was started again. */
  inode: number;
  size: number;
}

/** The file that an attempt which runs on this machine writes to; undefined when there is none (yet, or any more). */
export async function openLive(files: Files, taskId: string, record: AttemptView): Promise<LiveFile | undefined> {
  const path = files.liveLog({ taskId, subtaskId: record.subtask, attempt: record.attempt });
  try {
    const { ino, size } = await stat(path);
    return { path, inode: ino, size };
  } catch {
    return undefined;
  }
}

/** The bytes after the first ones; a file that vanishes meanwhile has none, as its attempt has ended. */
export async function* readFrom(path: string, start: number): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of createReadStream(path, { start })) yield toBytes(chunk);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
  }
}

async function* asBytes(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of stream) yield toBytes(chunk);
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  return Buffer.from(String(chunk));
}

/** Leaves out the first bytes: those that were shown already. */
export async function* skipBytes(
  bytes: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = count;
  for await (const chunk of bytes) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
