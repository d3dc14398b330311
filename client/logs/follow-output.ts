import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { FilesPort } from '../ports/files.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';
import { openLive, openOutput, readFrom, skipBytes, type LiveFile } from './attempt-output.ts';
import { cutIncomplete } from './cut-incomplete.ts';
import { readDraft, type Draft } from './read-draft.ts';

export interface OutputRequest {
  files: Pick<FilesPort, 'readOutput' | 'liveLog'>;
  handle: TaskHandle;
  /** The attempt as it is now. */
  record: AttemptView;
  /** Bytes that the reader has. */
  from: number;
  signal: AbortSignal;
}

/**
 * A piece of an attempt's output, with the number of bytes up to its end; the output begins again; a part of the reply that an agent's
 * model is giving, null where it is over; or why the rest cannot be read here.
 */
export type OutputNews =
  | { kind: 'text'; offset: number; text: string }
  | { kind: 'restart' }
  | { kind: 'draft'; text: string | null }
  | { kind: 'lost'; why: 'elsewhere' | 'damaged' };

/** Follows what an attempt prints, to its end. Drafts are not kept: they come again after a crash, and differ then. */
export async function* followOutput(request: OutputRequest): AsyncGenerator<OutputNews, void, undefined> {
  const { files, handle, signal } = request;
  const tail = new OutputTail(request.from);
  const ending = watchEnd(request);
  while (!signal.aborted) {
    const isOver = ending.ended !== undefined;
    const live = await openLive(files, handle.id, request.record);
    if (live !== undefined) yield* tail.read(live);
    if (isOver) break;
    await sleep(clientLimits.cli.logPoll, undefined, { signal }).catch(() => undefined);
  }
  if (signal.aborted || ending.ended === undefined) return;
  yield* tail.finish(await openOutput(files, handle.id, ending.ended));
}

/** The record of the attempt once it does not run any more: from the start, or when an event about it tells so. */
function watchEnd({ handle, record, signal }: OutputRequest): { ended: AttemptView | undefined } {
  const state: { ended: AttemptView | undefined } = { ended: record.outcome === 'running' ? undefined : record };
  const isSame = (each: AttemptView): boolean => each.subtask === record.subtask && each.attempt === record.attempt;
  const look = async (): Promise<void> => {
    const now = (await handle.attempts()).find(isSame);
    if (now !== undefined && now.outcome !== 'running') state.ended = now;
  };
  const watch = async (): Promise<void> => {
    const { lastEventId } = await handle.status({ server: false });
    await look();
    for await (const news of handle.feed().read({ since: lastEventId, signal })) {
      if (state.ended !== undefined) return;
      if (news.kind === 'event' && 'subtask' in news.event && news.event.subtask === record.subtask) await look();
    }
    // The task is over, and so is each of its attempts.
    if (!signal.aborted) await look().finally(() => (state.ended ??= record));
  };
  // Nobody tells how it ended: what is in its file is all that can be shown.
  if (state.ended === undefined) watch().catch(() => (state.ended ??= record));
  return state;
}

/** The position of a reader in the output, and in the draft beside it. */
class OutputTail {
  #at: number;
  #inode: number | undefined;
  #draft: Draft | undefined;

  constructor(from: number) {
    this.#at = from;
  }

  /** Reads the file beyond the position. */
  async *read({ path, inode, size }: LiveFile): AsyncGenerator<OutputNews, void, undefined> {
    if (size < this.#at || (this.#inode !== undefined && inode !== this.#inode)) {
      this.#at = 0;
      yield { kind: 'restart' };
    }
    this.#inode = inode;
    if (size > this.#at) yield* this.#take(readFrom(path, this.#at));
    yield* this.#takeDraft(await readDraft(path));
  }

  /** The rest, from the store. */
  async *finish(output: Awaited<ReturnType<typeof openOutput>>): AsyncGenerator<OutputNews, void, undefined> {
    yield* this.#takeDraft(undefined);
    if (output === 'elsewhere' || output === 'damaged') yield { kind: 'lost', why: output };
    else if (output !== 'nothing') yield* this.#take(skipBytes(output.bytes, this.#at), { isLast: true });
  }

  /** A character that is cut at the end of a piece waits for its rest. */
  async *#take(bytes: AsyncIterable<Uint8Array>, { isLast = false } = {}): AsyncGenerator<OutputNews, void, undefined> {
    let held = Buffer.alloc(0);
    for await (const chunk of bytes) {
      const [whole, rest] = cutIncomplete(Buffer.concat([held, chunk]));
      held = rest;
      if (whole.length > 0) yield this.#textOf(whole);
    }
    if (isLast && held.length > 0) yield this.#textOf(held);
  }

  #textOf(bytes: Buffer): OutputNews {
    this.#at += bytes.length;
    return { kind: 'text', offset: this.#at, text: bytes.toString() };
  }

  *#takeDraft(draft: Draft | undefined): Generator<OutputNews, void, undefined> {
    const before = this.#draft;
    this.#draft = draft;
    const isSame = draft !== undefined && before !== undefined && draft.turn === before.turn;
    const start = isSame && draft.text.startsWith(before.text) ? before.text.length : 0;
    if (before !== undefined && start === 0 && before.text !== '') yield { kind: 'draft', text: null };
    const text = draft?.text.slice(start) ?? '';
    if (text !== '') yield { kind: 'draft', text };
  }
}
