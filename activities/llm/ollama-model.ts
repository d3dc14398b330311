import { cutReply, explainErrorPart } from './provider/explain-model-error.ts';
import { loadImages } from './provider/load-images.ts';
import type { ModelFetch } from './provider/model-fetch.ts';
import { ModelError, type ModelReply } from './ports/model.ts';
import { chunkSchema, fromOllama, toOllamaBody, type OllamaChunk } from './ollama-wire.ts';
import { voidReply, formatProvider, type KeyedRequest } from './provider/model-trouble.ts';
import { settleUsage } from './provider/usage.ts';

/** Ollama by its own API: only there the size of the context can be asked for. */
export async function callOllama(
  connection: { baseUrl: string; key: string | undefined; fetch: ModelFetch },
  subject: KeyedRequest,
): Promise<Omit<ModelReply, 'took'>> {
  const { request } = subject;
  const { baseUrl, key, fetch } = connection;
  const response = await fetch(`${baseUrl.replace(/\/+(?:api\/?)?$/, '')}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(toOllamaBody(request, await loadImages(request))),
  });
  const chunks: OllamaChunk[] = [];
  for await (const line of readLines(response, subject)) {
    const chunk = readChunk(line, subject);
    chunks.push(chunk);
    const text = chunk.message?.content ?? '';
    if (request.model.stream && text !== '') request.onText?.(text);
  }
  const last = chunks.at(-1);
  if (last?.done !== true) throw cutReply(subject);
  const reply = fromOllama(chunks, countCalls(subject));
  const counted = {
    input: last.prompt_eval_count ?? undefined,
    output: last.eval_count ?? undefined,
    cached: undefined,
    reasoning: undefined,
  };
  return { ...reply, ...settleUsage(counted, request, reply.parts) };
}

const countCalls = ({ request }: KeyedRequest): number =>
  request.messages.reduce((sum, message) => sum + (message.from === 'tools' ? message.results.length : 0), 1);

function readChunk(line: string, subject: KeyedRequest): OllamaChunk {
  const parsed = chunkSchema.safeParse(parseLine(line));
  if (!parsed.success) {
    const by = formatProvider(subject);
    throw voidReply(subject, `${by} sent a reply that cannot be read: it was cut, or it is not of this kind of API.`);
  }
  const { error } = parsed.data;
  if (error !== undefined && error !== null) throw explainErrorPart({ error }, subject);
  return parsed.data;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A connection that ends in the middle gives no line more: the reply is void. A line may come in any number of pieces. */
async function* readLines(response: Response, subject: KeyedRequest): AsyncGenerator<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const decoder = new TextDecoder();
  let begun: string[] = [];
  try {
    for await (const bytes of body ?? []) {
      const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
      begun.push(first);
      const last = others.pop();
      if (last === undefined) continue;
      yield* [begun.join(''), ...others].filter((line) => line.trim() !== '');
      begun = [last];
    }
  } catch (error) {
    throw error instanceof ModelError ? error : cutReply(subject);
  }
  const rest = begun.join('');
  if (rest.trim() !== '') yield rest;
}
