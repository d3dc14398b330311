import { checkResponsesImages } from './check-images.ts';
import { chat } from './chat.ts';
import { asksForStream, created, splitDeltas, namedSse, type Wire, type WireReply } from './wire.ts';

const itemId = (reply: WireReply, index: number): string => `item_${reply.id}_${index}`;

/** One item of a reply's output: how it begins, grows, and ends. */
interface Item {
  begun: object;
  events: object[];
  done: object;
}

function messageItem(reply: WireReply): Item {
  const id = itemId(reply, 0);
  const at = { item_id: id, output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: reply.text, annotations: [] };
  const message = { id, type: 'message', role: 'assistant' };
  return {
    begun: { ...message, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...splitDeltas(reply.text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text: reply.text },
      { type: 'response.content_part.done', ...at, part },
    ],
    done: { ...message, status: 'completed', content: [part] },
  };
}

function callItem(reply: WireReply, call: WireReply['calls'][number], index: number): Item {
  const id = itemId(reply, index);
  const at = { item_id: id, output_index: index };
  const item = { id, type: 'function_call', call_id: call.id, name: call.tool };
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    events: [
      ...splitDeltas(call.input).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, arguments: call.input },
    ],
    done: { ...item, status: 'completed', arguments: call.input },
  };
}

function buildItems(reply: WireReply): Item[] {
  const messages = reply.text === '' ? [] : [messageItem(reply)];
  return [...messages, ...reply.calls.map((call, index) => callItem(reply, call, messages.length + index))];
}

function buildResponse(reply: WireReply, status: 'in_progress' | 'completed'): object {
  const { usage } = reply;
  const isDone = status === 'completed';
  return {
    id: reply.id,
    object: 'response',
    created_at: created,
    status,
    error: null,
    incomplete_details: null,
    model: reply.model,
    output: isDone ? buildItems(reply).map(({ done }) => done) : [],
    store: false,
    usage: isDone
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        }
      : null,
  };
}

/** OpenAI's Responses. */
export const responses: Wire = {
  ending: '/responses',
  contentType: 'text/event-stream',
  checkImages: checkResponsesImages,
  streams: asksForStream,
  whole: (reply) => buildResponse(reply, 'completed'),
  pieces: (reply) => {
    const events = [
      { type: 'response.created', response: buildResponse(reply, 'in_progress') },
      { type: 'response.in_progress', response: buildResponse(reply, 'in_progress') },
      ...buildItems(reply).flatMap(({ begun, events: grown, done }, index) => [
        { type: 'response.output_item.added', output_index: index, item: begun },
        ...grown,
        { type: 'response.output_item.done', output_index: index, item: done },
      ]),
      { type: 'response.completed', response: buildResponse(reply, 'completed') },
    ];
    return events.map((event, index) => namedSse({ type: '', ...event, ...{ sequence_number: index } }));
  },
  error: chat.error,
};
