import { checkChatImages } from './check-images.ts';
import { asksForStream, created, splitDeltas, sse, type Wire, type WireReply } from './wire.ts';

const chooseFinishReason = ({ calls }: WireReply): string => (calls.length > 0 ? 'tool_calls' : 'stop');

const buildUsage = ({ usage }: WireReply): object => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

function deltas({ text, calls }: WireReply): object[] {
  return [
    { role: 'assistant', content: '' },
    ...splitDeltas(text).map((content) => ({ content })),
    ...calls.flatMap(({ id, tool, input }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] },
      ...splitDeltas(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
}

/** OpenAI's Chat Completions, as most servers speak it. */
export const chat: Wire = {
  ending: '/chat/completions',
  contentType: 'text/event-stream',
  checkImages: checkChatImages,
  streams: asksForStream,
  whole: (reply) => ({
    id: reply.id,
    object: 'chat.completion',
    created,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text === '' ? null : reply.text,
          ...(reply.calls.length === 0
            ? {}
            : {
                tool_calls: reply.calls.map(({ id, tool, input }) => ({
                  id,
                  type: 'function',
                  function: { name: tool, arguments: input },
                })),
              }),
        },
        finish_reason: chooseFinishReason(reply),
      },
    ],
    usage: buildUsage(reply),
  }),
  pieces: (reply) => {
    const chunk = { id: reply.id, object: 'chat.completion.chunk', created, model: reply.model };
    return [
      ...deltas(reply).map((delta) => sse({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
      sse({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: chooseFinishReason(reply) }] }),
      sse({ ...chunk, choices: [], usage: buildUsage(reply) }),
      'data: [DONE]\n\n',
    ];
  },
  error: (status, message, code) => ({
    error: { message, type: chooseErrorType(status), param: null, code: code ?? null },
  }),
};

function chooseErrorType(status: number): string {
  if (status === 429) return 'rate_limit_exceeded';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
