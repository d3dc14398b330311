import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import { followOutput, type OutputNews } from '../../logs/follow-output.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import type { Identity } from '../identity.ts';
import type { RawCall, Reply } from '../route.ts';
import { openStream, readSince, trouble } from './open-stream.ts';
import type { Frame } from './sse-writer.ts';

/** Follows what an attempt prints. The number of a frame is the byte up to which the reader has the output. */
export function streamOutput(
  call: RawCall,
  identity: Identity,
  { handle, record }: { handle: TaskHandle; record: AttemptView },
): Promise<Reply> {
  const from = readSince(call, undefined);
  return openStream(call, identity, [
    async function* (signal): AsyncGenerator<Frame, void, undefined> {
      for await (const news of followOutput({ files: call.parts.ports, handle, record, from, signal }))
        yield frameOf(news, record);
      if (!signal.aborted) yield { event: 'end', data: JSON.stringify({ attempt: record.attempt }) };
    },
  ]);
}

function frameOf(news: OutputNews, { attempt }: AttemptView): Frame {
  switch (news.kind) {
    case 'text':
      return { id: news.offset, data: JSON.stringify(news.text) };
    case 'restart':
      return { event: 'restart', data: JSON.stringify({ attempt }) };
    case 'draft':
      return { event: 'draft', data: JSON.stringify({ attempt, text: news.text }) };
    case 'lost':
      return trouble(
        news.why === 'damaged' ? 'the stored output is damaged' : 'the output is in the store of another host',
      );
  }
}
