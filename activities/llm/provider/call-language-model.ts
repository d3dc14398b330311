import { cutReply, explainErrorPart } from './explain-model-error.ts';
import { loadImages } from './load-images.ts';
import { ModelError, type ModelReply } from '../ports/model.ts';
import { askFor, openLanguageModel, type Connection, type SpokenKind } from './open-language-model.ts';
import { ErrorPart, readContent, readStream, type ReadReply } from './read-stream.ts';
import { toPrompt, toTools, type ImagePlace } from './to-prompt.ts';
import { voidReply, formatProvider, type KeyedRequest } from './model-trouble.ts';
import { settleUsage } from './usage.ts';

/** One call of a model through its provider's own code: one request, the raw reply, nothing repaired. */
export async function callLanguageModel(
  connection: Connection,
  subject: KeyedRequest,
): Promise<Omit<ModelReply, 'took'>> {
  const { request } = subject;
  const reply = await readReply(connection, subject).catch((error: unknown) => {
    throw explainThrown(error, subject);
  });
  if (reply === undefined) throw cutReply(subject);
  const finish = finishes[reply.finish];
  if (finish === undefined) throw cutReply(subject, `finish: ${reply.finish}`);
  const { inputTokens, outputTokens } = reply.usage;
  const counted = {
    input: inputTokens.total,
    output: outputTokens.total,
    cached: inputTokens.cacheRead,
    reasoning: outputTokens.reasoning,
  };
  return { parts: reply.parts, finish, ...settleUsage(counted, request, reply.parts) };
}

/** Why a reply ended. Those that are missing here void it. */
const finishes: Partial<Record<ReadReply['finish'], ModelReply['finish']>> = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'refusal',
  other: 'other',
};

/** Chat Completions refuse an image in the result of a call. */
const imagePlaces: Record<SpokenKind, ImagePlace> = {
  anthropic: 'result',
  openai: 'result',
  'openai-compatible': 'user',
};

async function readReply(connection: Connection, { request }: KeyedRequest): Promise<ReadReply | undefined> {
  const { kind, model } = connection;
  const options = {
    prompt: toPrompt(request, await loadImages(request), imagePlaces[kind]),
    ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
    ...(await askFor(kind, model, request)),
    abortSignal: request.signal,
  };
  const opened = await openLanguageModel(connection);
  if (model.stream) {
    const { stream } = await opened.doStream(options);
    return readStream(stream, request.onText);
  }
  const { content, finishReason, usage } = await opened.doGenerate(options);
  return { parts: readContent(content), finish: finishReason.unified, usage };
}

/** The providers' errors carry the whole request: they are read here and never passed on, not even as a cause. */
function explainThrown(error: unknown, subject: KeyedRequest): ModelError {
  if (error instanceof ErrorPart) {
    return error.value instanceof Error ? explainThrown(error.value, subject) : explainErrorPart(error.value, subject);
  }
  const own = findOwn(error);
  if (own !== undefined) return own;
  // An error that came in the place of a reply, with a status that says success.
  const sent = error instanceof Error && 'responseBody' in error ? parseSent(error.responseBody) : undefined;
  if (isErrorShaped(sent)) return explainErrorPart(sent, subject);
  const by = formatProvider(subject);
  return voidReply(subject, `${by} sent a reply that cannot be read: it was cut, or it is not of this kind of API.`);
}

/** An error of `createModelFetch` may come wrapped. */
function findOwn(error: unknown, depth = 0): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error && depth < 5 ? findOwn(error.cause, depth + 1) : undefined;
}

/** Typed as a text, and not always one. */
function parseSent(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isErrorShaped(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return false;
  const type = 'type' in sent && typeof sent.type === 'string' ? sent.type : '';
  return ('error' in sent && sent.error !== null) || /(?:error|failed)$/.test(type);
}
