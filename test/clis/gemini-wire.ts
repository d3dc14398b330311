import { sse, type Wire, type WireReply } from '../../activities/llm/wires/wire.ts';

function partsOf({ text, calls }: WireReply): object[] {
  return [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ id, tool, input }) => ({ functionCall: { id, name: tool, args: JSON.parse(input) as unknown } })),
  ];
}

function answerOf(reply: WireReply): object {
  const { input, output, cached } = reply.usage;
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: partsOf(reply) }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    },
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

const states: Readonly<Partial<Record<number, string>>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** Google's `generateContent`, as far as the gemini program needs it: no part of the project speaks it. */
export const gemini: Wire = {
  ending: 'generateContent',
  contentType: 'text/event-stream',
  streams: () => true,
  checkImages: () => undefined,
  whole: answerOf,
  pieces: (reply) => [sse(answerOf(reply))],
  error: (code, message) => ({ error: { code, message, status: states[code] ?? 'UNKNOWN', details: [] } }),
};
