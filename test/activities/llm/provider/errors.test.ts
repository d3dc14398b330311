/* A call without a reply: what happened, by the facts of the answer; one request; nothing of the prompt or the key in it. */
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';

import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { formatCause } from '../../../../domain/decisions/options/problem-text.ts';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import { explainConnection } from '../../../../activities/llm/provider/explain-connection.ts';
import { ModelError, type ModelRequest, type ProviderCall } from '../../../../activities/llm/ports/model.ts';
import { strategies } from '../../../../domain/failure/recovery-strategies.ts';
import { serveModel } from '../../../support/model-server.ts';
import { selfSigned } from '../../../support/gateways/self-signed.ts';
import { errorCases } from './error-bodies.ts';
import {
  call,
  errorOf,
  modelAt,
  models,
  requestTo,
  secretKey,
  secretPrompt,
  secretSystem,
  textsIn,
} from './support.ts';
import { spoken } from './wires.ts';

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
const both = [true, false];

describe.each(both)('an answer that is no reply, stream: %s', (stream) => {
  test.each(errorCases)('$kind: $what ($status) is $type', async ({ kind, status, headers = {}, body, type, wait }) => {
    const server = await serveModel(() => ({ status, headers, pieces: [textOf(body)] }));
    const error = await errorOf(call(modelAt(kind, server.url, { stream })));
    expect({ type: error.failure.type, wait: error.retryAfter }).toEqual({ type, wait });
    expect(error.failure.category).toBe(strategies[type].category);
    expect(error.failure.summary).toMatch(/^[A-Z].{10,}\.$/);
    expect(error.failure.details).toContain(`HTTP ${status}`);
    if (error.failure.category === 'never-retry') expect(error.failure.suggestedFix).not.toBe('');
    expect(server.received).toHaveLength(1);
  });
});

describe('an error inside a reply that began well', () => {
  const sse = { 'content-type': 'text/event-stream' };
  const event = (data: { type: string; [key: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const failed = (code: string) =>
    event({
      type: 'response.failed',
      sequence_number: 3,
      response: {
        id: 'r',
        created_at: 1,
        model: 'm',
        status: 'failed',
        error: { code, message: 'It failed.' },
        output: [],
      },
    });
  const [anthropic, chat, responses, ollama] = spoken;
  const cases = [
    {
      what: 'overload of Anthropic, first',
      reply: anthropic!,
      at: 0,
      piece: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      type: 'overloaded',
    },
    {
      what: 'overload of Anthropic, later',
      reply: anthropic!,
      at: 9,
      piece: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      type: 'overloaded',
    },
    {
      what: 'a rate limit of Anthropic, later',
      reply: anthropic!,
      at: 9,
      piece: event({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }),
      type: 'rate-limited',
    },
    {
      what: 'no quota at OpenAI',
      reply: responses!,
      at: 2,
      piece: event({
        type: 'error',
        sequence_number: 2,
        error: {
          type: 'insufficient_quota',
          code: 'insufficient_quota',
          message: 'You exceeded your current quota.',
          param: null,
        },
      }),
      type: 'subscription',
    },
    {
      what: 'a failed response of OpenAI',
      reply: responses!,
      at: 12,
      piece: failed('server_error'),
      type: 'overloaded',
    },
    {
      what: 'an overflow of OpenAI',
      reply: responses!,
      at: 2,
      piece: failed('context_length_exceeded'),
      type: 'context-overflow',
    },
    {
      what: 'an error behind OpenRouter',
      reply: chat!,
      at: 5,
      piece: `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }], error: { code: 502, message: 'Provider disconnected' } })}\n\n`,
      type: 'overloaded',
    },
    {
      what: 'an error of a compatible server',
      reply: chat!,
      at: 5,
      piece: `data: ${JSON.stringify({ error: { message: 'Rate limit', type: 'rate_limit_exceeded', code: 429 } })}\n\n`,
      type: 'rate-limited',
    },
    {
      what: 'an error of Ollama',
      reply: ollama!,
      at: 3,
      piece: '{"error":"an error was encountered while running the model"}\n',
      type: 'overloaded',
    },
  ];

  test.each(cases)('$what voids it and is $type', async ({ reply, at, piece, type }) => {
    const pieces = [...reply.pieces.slice(0, at), piece, ...reply.pieces.slice(at)];
    const server = await serveModel(() => ({ headers: sse, pieces }));
    const error = await errorOf(call(modelAt(reply.kind, server.url)));
    expect(error.failure.type).toBe(type);
    expect(server.received).toHaveLength(1);
  });

  test.each([
    {
      what: 'of OpenAI',
      reply: responses!,
      body: {
        id: 'r',
        created_at: 1,
        model: 'm',
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Slow down.' },
        output: [],
      },
      type: 'rate-limited',
    },
    {
      what: 'of a gateway',
      reply: chat!,
      body: { error: { code: 402, message: 'Insufficient credits', type: 'insufficient_quota' } },
      type: 'subscription',
    },
    { what: 'of Ollama', reply: ollama!, body: { error: 'model runner has unexpectedly stopped' }, type: 'overloaded' },
    { what: 'that is a page', reply: chat!, body: '<html>Welcome</html>', type: 'overloaded' },
    { what: 'that is empty', reply: anthropic!, body: '', type: 'overloaded' },
  ])('a whole answer $what with the status of success is $type', async ({ reply, body, type }) => {
    const server = await serveModel(() => ({ pieces: [textOf(body)] }));
    const error = await errorOf(call(modelAt(reply.kind, server.url, { stream: false })));
    expect(error.failure.type).toBe(type);
  });

  test('a refusal is a reply, since it was paid: it says so', async () => {
    const refusing = anthropic!.pieces.map((piece) =>
      piece.replace('"stop_reason":"tool_use"', '"stop_reason":"refusal"'),
    );
    const server = await serveModel(() => ({ headers: sse, pieces: refusing }));
    expect(await call(modelAt('anthropic', server.url))).toMatchObject({ finish: 'refusal', usage: { output: 40 } });
  });
});

describe('a service that cannot be reached', () => {
  const reset = new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  });
  const several = new TypeError('fetch failed', {
    cause: new AggregateError([
      Object.assign(new Error('::1'), { code: 'ENETUNREACH' }),
      Object.assign(new Error('127.0.0.1'), { code: 'ECONNREFUSED' }),
    ]),
  });
  const coded = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

  test.each([
    { error: coded('ENOTFOUND'), category: 'environment' },
    { error: coded('EAI_AGAIN'), category: 'environment' },
    { error: coded('ETIMEDOUT'), category: 'environment' },
    { error: coded('EHOSTUNREACH'), category: 'environment' },
    { error: coded('UND_ERR_CONNECT_TIMEOUT'), category: 'environment' },
    { error: coded('CERT_HAS_EXPIRED'), category: 'environment' },
    { error: several, category: 'environment' },
    { error: reset, category: 'transient' },
    { error: coded('UND_ERR_SOCKET'), category: 'transient' },
    { error: coded('UND_ERR_BODY_TIMEOUT'), category: 'transient' },
    { error: new TypeError('terminated'), category: 'transient' },
  ])('$error.cause.code is $category', ({ error, category }) => {
    const subject = { request: requestTo(modelAt('anthropic', 'http://127.0.0.1:1')), key: secretKey };
    expect(explainConnection(error, subject).failure.category).toBe(category);
  });

  test('a certificate that nobody signed is told', async () => {
    const server = createTlsServer(selfSigned(), (_, outgoing) => outgoing.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await errorOf(call(modelAt('anthropic', `https://127.0.0.1:${port}`)));
    server.close();
    expect(error.failure).toMatchObject({
      type: 'environment',
      summary: expect.stringContaining('certificate') as string,
    });
  });

  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  };

  test.each(spoken)('$kind: a closed port is trouble of the environment', async ({ kind }) => {
    const error = await errorOf(call(modelAt(kind, `http://127.0.0.1:${await freePort()}`)));
    expect(error.failure).toMatchObject({
      type: 'environment',
      summary: 'The provider there cannot be reached (ECONNREFUSED).',
    });
  });

  test('a connection that closes before the answer passes', async () => {
    const server = await serveModel(() => Promise.reject(new Error('unused')));
    const closing = createServer((socket) => socket.on('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await new Promise((resolve) => closing.once('listening', resolve));
    const { port } = closing.address() as AddressInfo;
    const error = await errorOf(call(modelAt('openai-compatible', `http://127.0.0.1:${port}`)));
    closing.close();
    expect(error.failure).toMatchObject({ type: 'overloaded', category: 'transient' });
    expect(server.received).toHaveLength(0);
  });

  test('an address that is none, and one that is missing, need a person', async () => {
    const broken = modelAt('openai-compatible', '', {}, { baseUrl: 'not a url' });
    expect((await errorOf(call(broken))).failure.category).toBe('never-retry');
    const missing = modelAt('ollama', '');
    delete missing.provider.baseUrl;
    expect((await errorOf(call(missing))).failure).toMatchObject({
      type: 'context-missing',
      summary: 'The provider there has no `baseUrl`.',
    });
  });

  test('a question about a wrong key names the variable, the provider and the model', async () => {
    const body = JSON.stringify({
      type: 'error',
      error: { type: 'authentication_error', message: 'invalid x-api-key' },
    });
    const server = await serveModel(() => ({ status: 401, body }));
    const model = modelAt('anthropic', server.url);
    const { failure } = await errorOf(
      models({ secrets: new EnvironmentSecrets({ THE_KEY: 'sk-wrong' }) }).call(requestTo(model)),
    );
    expect(formatCause(failure)).toBe(
      ` The key in THE_KEY is missing, wrong, or may not use the model ${model.name} of the provider there.`,
    );
    expect(JSON.stringify(failure)).not.toContain('sk-wrong');
  });

  test('a key that is not set is told by the name of its variable, and nothing is sent', async () => {
    const server = await serveModel(() => ({}));
    const error = await errorOf(
      models({ secrets: new EnvironmentSecrets({ THE_KEY: ' ' }) }).call(requestTo(modelAt('anthropic', server.url))),
    );
    expect(error.failure).toMatchObject({ type: 'auth', category: 'never-retry' });
    expect(error.failure.summary).toContain('THE_KEY');
    expect(server.received).toHaveLength(0);
  });
});

describe('missing reasoning_content', () => {
  const refusal = JSON.stringify({
    error: {
      message: 'Missing `reasoning_content` field in the assistant message at message index 2.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_request_error',
    },
  });
  const messages: ModelRequest['messages'] = [
    { from: 'user', text: 'Hello.' },
    { from: 'model', parts: [{ type: 'call', id: 'c1', tool: 'read_file', input: '{"path":"a"}' }] },
    { from: 'tools', results: [{ id: 'c1', tool: 'read_file', text: 'ok', isError: false }] },
  ];
  const chat = spoken[1]!;

  test('is patched and asked again once', async () => {
    const server = await serveModel((_, index) =>
      index === 0
        ? { status: 400, pieces: [refusal] }
        : { headers: { 'content-type': chat.streamType }, pieces: chat.pieces },
    );
    const reply = await call(modelAt('openai-compatible', server.url), { messages });
    expect(reply.finish).toBe('calls');
    const [first, second] = server.received.map(({ body }) => body['messages'] as Record<string, unknown>[]);
    expect(first?.[2]).not.toHaveProperty('reasoning_content');
    expect(second?.[2]).toEqual({ ...first?.[2], reasoning_content: ' ' });
    expect(second?.filter((_, index) => index !== 2)).toEqual(first?.filter((_, index) => index !== 2));
  });

  test('is not asked a third time, nor where nothing would change', async () => {
    const server = await serveModel(() => ({ status: 400, pieces: [refusal] }));
    const error = await errorOf(call(modelAt('openai-compatible', server.url), { messages }));
    expect(error.failure.type).toBe('tool-failed');
    expect(server.received).toHaveLength(2);
    await errorOf(call(modelAt('openai-compatible', server.url)));
    expect(server.received).toHaveLength(3);
  });
});

describe('what an error must not tell', () => {
  const parroting = (status: number) =>
    serveModel(({ body, headers }) => ({
      status,
      pieces: [
        JSON.stringify({
          error: {
            type: 'invalid_request_error',
            code: secretKey,
            message: `Cannot take ${JSON.stringify(body)} with ${JSON.stringify(headers)}`,
          },
        }),
      ],
    }));
  const cases = spoken.flatMap(({ kind }) =>
    [400, 401, 429, 500, 200].flatMap((status) => both.map((stream) => ({ kind, status, stream }))),
  );

  test.each(cases)(
    '$kind $status, stream $stream: neither prompt nor key, however deep',
    async ({ kind, status, stream }) => {
      const server = await parroting(status);
      const error = await errorOf(call(modelAt(kind, server.url, { stream })));
      const texts = [
        ...textsIn(error),
        inspect(error, { depth: 20, showHidden: true }),
        JSON.stringify(error),
        error.stack ?? '',
      ].join('\n');
      for (const secret of [secretKey, secretPrompt, secretSystem, 'four apples', 'northern silo'])
        expect(texts).not.toContain(secret);
      expect(error.cause).toBeUndefined();
    },
  );

  test('a prompt of short lines is told in no spelling', async () => {
    const text = 'pears: 4\napples: 3\nplums: 12\n"figs": 7\nthe code: 9';
    for (const echo of [text, JSON.stringify(text), JSON.stringify([{ role: 'user', content: text }])]) {
      const server = await serveModel(() => ({
        status: 400,
        pieces: [JSON.stringify({ error: { message: `Bad input: ${echo}` } })],
      }));
      const error = await errorOf(
        call(modelAt('openai-compatible', server.url), { messages: [{ from: 'user', text }] }),
      );
      expect(textsIn(error).join('\n')).not.toContain('apples');
    }
  });

  test('words that are the service’s own are kept', async () => {
    const server = await serveModel(() => ({
      status: 400,
      pieces: [JSON.stringify({ error: { message: 'temperature must be below 2', code: 'bad_value' } })],
    }));
    const error = await errorOf(call(modelAt('openai-compatible', server.url)));
    expect(error.failure.details).toBe('HTTP 400 bad_value: temperature must be below 2');
  });
});

describe('abort and size', () => {
  test.each(spoken)(
    '$kind: an abort ends the request at once, with its reason',
    async ({ kind, pieces, streamType }) => {
      for (const sent of [0, 2]) {
        const server = await serveModel(() => ({
          headers: { 'content-type': streamType },
          pieces: pieces.slice(0, sent),
          end: 'open',
        }));
        const controller = new AbortController();
        const reason = new Error('enough');
        const calling = call(modelAt(kind, server.url), { signal: controller.signal });
        await expect.poll(() => server.received.length).toBe(1);
        controller.abort(reason);
        await expect(calling).rejects.toBe(reason);
        await expect.poll(() => server.left()).toBe(1);
      }
    },
  );

  test.each(spoken)(
    '$kind: a reply that is given up in the middle holds no connection',
    async ({ kind, pieces, streamType }) => {
      for (const at of [0, 2]) {
        const broken = [
          ...pieces.slice(0, at),
          kind === 'ollama'
            ? '{"error":"no"}\n'
            : 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"no"}}\n\n',
        ];
        const server = await serveModel(() => ({
          headers: { 'content-type': streamType },
          pieces: broken,
          end: 'open',
        }));
        expect((await errorOf(call(modelAt(kind, server.url)))).failure.type).toBe('overloaded');
        await expect.poll(() => server.left()).toBe(1);
      }
    },
  );

  test('who has aborted before sends nothing', async () => {
    const server = await serveModel(() => ({}));
    const reason = new Error('before');
    await expect(call(modelAt('anthropic', server.url), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.received).toHaveLength(0);
  });

  test.each(spoken)('$kind: a reply above the cap is void', async ({ kind, streamType }) => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const pieces = Array.from({ length: activityLimits.models.replyBytes / megabyte.length + 1 }, () => megabyte);
    const server = await serveModel(() => ({ headers: { 'content-type': streamType }, pieces }));
    const error = await errorOf(call(modelAt(kind, server.url, { stream: false })));
    expect(error.failure).toMatchObject({
      type: 'overloaded',
      summary: 'The provider there sent a reply of more than 16 MB.',
    });
  });

  test('a very long error is read only at its start', async () => {
    const server = await serveModel(() => ({
      status: 500,
      pieces: Array.from({ length: 200 }, () => 'x'.repeat(100_000)),
    }));
    const error = await errorOf(call(modelAt('anthropic', server.url)));
    expect(error.failure.type).toBe('overloaded');
    expect(error.failure.details.length).toBeLessThan(1_000);
  });
});

describe('a provider of the user’s own', () => {
  const model = modelAt('openai-compatible', 'http://127.0.0.1:1');
  const ask = (own: ProviderCall) => models({ own: { there: own } }).call(requestTo(model));
  const reply = {
    parts: [{ type: 'text' as const, text: 'Hi' }],
    finish: 'stop' as const,
    usage: { input: 1, output: 1, cached: 0, reasoning: 0 },
    took: 0,
  };

  test('is asked instead of the network', async () => {
    expect(await ask(() => Promise.resolve(reply))).toMatchObject({ parts: reply.parts, finish: 'stop' });
  });

  test.each([
    { what: 'a status', thrown: Object.assign(new Error('Too many'), { status: 429 }), type: 'rate-limited' },
    { what: 'a name', thrown: Object.assign(new Error('no'), { code: 'insufficient_quota' }), type: 'subscription' },
    {
      what: 'a code of the system',
      thrown: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      type: 'environment',
    },
    { what: 'words', thrown: new Error('prompt is too long: 3 tokens > 2 maximum'), type: 'context-overflow' },
    { what: 'no words', thrown: null, type: 'tool-failed' },
  ])('is explained by $what', async ({ thrown, type }) => {
    const error = await errorOf(
      ask(() => {
        throw thrown as Error;
      }),
    );
    expect(error.failure.type).toBe(type);
  });

  test('may throw an error that is complete, and may not return nonsense', async () => {
    const own = new ModelError((await errorOf(ask(() => Promise.reject(new Error('x'))))).failure, { retryAfter: 5 });
    await expect(ask(() => Promise.reject(own))).rejects.toBe(own);
    const nonsense = await errorOf(ask(() => Promise.resolve({ ...reply, parts: [{ type: 'text' }] } as never)));
    expect(nonsense.failure).toMatchObject({
      type: 'format-invalid',
      details: expect.stringContaining('parts.0.text') as string,
    });
  });

  test('that does not hear an abort is left behind', async () => {
    const controller = new AbortController();
    const calling = models({ own: { there: () => new Promise(() => undefined) } }).call(
      requestTo(model, { signal: controller.signal }),
    );
    controller.abort(new Error('enough'));
    await expect(calling).rejects.toThrow('enough');
  });
});
