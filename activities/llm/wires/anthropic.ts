import { checkAnthropicImages } from './check-images.ts';
import { asksForStream, splitDeltas, namedSse, type Wire, type WireReply } from './wire.ts';

const chooseStopReason = ({ calls }: WireReply): string => (calls.length > 0 ? 'tool_use' : 'end_turn');

const buildUsage = ({ usage }: WireReply): object => ({
  input_tokens: usage.input - usage.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cached,
  output_tokens: usage.output,
});

function buildMessage(reply: WireReply): object {
  return { id: reply.id, type: 'message', role: 'assistant', model: reply.model };
}

interface Block {
  begun: object;
  deltas: object[];
}

function buildBlocks({ text, calls }: WireReply): Block[] {
  const textBlock: Block = {
    begun: { type: 'text', text: '' },
    deltas: splitDeltas(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  return [
    ...(text === '' ? [] : [textBlock]),
    ...calls.map(({ id, tool, input }) => ({
      begun: { type: 'tool_use', id, name: tool, input: {} },
      deltas: splitDeltas(input).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ];
}

/** Arguments are an object here: other values can only be sent in pieces of a stream. */
function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return { unreadable: input };
  }
}

/** Anthropic's Messages. */
export const anthropic: Wire = {
  ending: '/messages',
  contentType: 'text/event-stream',
  checkImages: checkAnthropicImages,
  streams: asksForStream,
  whole: (reply) => ({
    ...buildMessage(reply),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input: parse(input) })),
    ],
    stop_reason: chooseStopReason(reply),
    stop_sequence: null,
    usage: buildUsage(reply),
  }),
  pieces: (reply) => {
    const begun = { ...buildMessage(reply), content: [], stop_reason: null, stop_sequence: null };
    const events: { type: string }[] = [
      { type: 'message_start', ...{ message: { ...begun, usage: { ...buildUsage(reply), output_tokens: 1 } } } },
      { type: 'ping' },
      ...buildBlocks(reply).flatMap(({ begun: content_block, deltas }, index) => [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        ...{
          delta: { stop_reason: chooseStopReason(reply), stop_sequence: null },
          usage: { output_tokens: reply.usage.output },
        },
      },
      { type: 'message_stop' },
    ];
    return events.map(namedSse);
  },
  error: (status, message, code) => ({ type: 'error', error: { type: code ?? chooseErrorType(status), message } }),
};

const types: Readonly<Partial<Record<number, string>>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const chooseErrorType = (status: number): string =>
  types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
