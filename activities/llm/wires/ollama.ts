import { checkOllamaImages } from './check-images.ts';
import { splitDeltas, type Wire, type WireReply } from './wire.ts';

const at = '2024-01-01T00:00:00Z';

const buildLine = (reply: WireReply, message: object, ending: object = { done: false }): object => ({
  model: reply.model,
  created_at: at,
  message: { role: 'assistant', content: '', ...message },
  ...ending,
});

const buildEnding = ({ usage }: WireReply): object => ({
  done: true,
  done_reason: 'stop',
  prompt_eval_count: usage.input,
  eval_count: usage.output,
});

function buildCalls({ calls }: WireReply): object {
  if (calls.length === 0) return {};
  return { tool_calls: calls.map(({ tool, input }) => ({ function: { name: tool, arguments: parse(input) } })) };
}

/** Arguments are an object here: other values stay a text, which no real server sends. */
function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Ollama's own chat. */
export const ollama: Wire = {
  ending: '/api/chat',
  contentType: 'application/x-ndjson',
  checkImages: checkOllamaImages,
  streams: ({ stream }) => stream !== false,
  whole: (reply) => buildLine(reply, { content: reply.text, ...buildCalls(reply) }, buildEnding(reply)),
  pieces: (reply) =>
    [
      ...splitDeltas(reply.text).map((content) => buildLine(reply, { content })),
      ...(reply.calls.length === 0 ? [] : [buildLine(reply, buildCalls(reply))]),
      buildLine(reply, {}, buildEnding(reply)),
    ].map((line) => `${JSON.stringify(line)}\n`),
  error: (_, message) => ({ error: message }),
};
