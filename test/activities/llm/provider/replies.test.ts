/* Replies of each service, streaming or not, become one kind of reply; our requests reach each in its own form. */
import { describe, expect, test } from 'vitest';

import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import type { ReplyPart } from '../../../../activities/llm/ports/model.ts';
import { serveModel, type Played } from '../../../support/model-server.ts';
import { call, modelAt, requestTo, models, secretKey, secretPrompt, secretSystem } from './support.ts';
import { replyText, spoken, thought, type SpokenReply } from './wires.ts';

const played = (reply: SpokenReply, stream: boolean): Played =>
  stream
    ? { headers: { 'content-type': reply.streamType }, pieces: reply.pieces }
    : { pieces: [JSON.stringify(reply.whole)] };

const ways = spoken.flatMap((reply) => [true, false].map((stream) => ({ reply, stream, kind: reply.kind })));

const partOf = <T extends ReplyPart['type']>(parts: readonly ReplyPart[], type: T) =>
  parts.find((part): part is Extract<ReplyPart, { type: T }> => part.type === type);

describe.each(ways)('$kind, stream: $stream', ({ reply, stream }) => {
  test('a thought, a text and a call are read from one request, with what they cost', async () => {
    const server = await serveModel(() => played(reply, stream));
    const heard: string[] = [];
    const model = modelAt(reply.kind, server.url, { stream });
    const got = await call(model, { onText: (text) => heard.push(text) });
    expect(got.parts.map(({ type }) => type)).toEqual(['thinking', 'text', 'call']);
    expect(partOf(got.parts, 'thinking')?.text).toBe(thought);
    expect(partOf(got.parts, 'text')?.text).toBe(replyText);
    const called = partOf(got.parts, 'call');
    expect(called?.tool).toBe('read_file');
    expect(JSON.parse(called?.input ?? '')).toEqual({ path: 'notes.md' });
    expect(called?.id).toMatch(/\S/);
    expect(got.finish).toBe('calls');
    expect(got.usage).toEqual(reply.usage);
    expect(got.estimated).toBeUndefined();
    expect(heard.join('')).toBe(stream ? replyText : '');
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.path).toBe(reply.path);
    expect(server.received[0]?.body['stream'] ?? false).toBe(stream);
  });

  test('what the service said goes back to it as it came, with its signatures', async () => {
    const server = await serveModel(() => played(reply, stream));
    const model = modelAt(reply.kind, server.url, { stream, thinking: 'effort' });
    const first = await call(model, { thinking: true });
    expect(partOf(first.parts, 'thinking')?.note).toEqual(reply.thoughtNote);
    const id = partOf(first.parts, 'call')?.id ?? '';
    // As it comes back from a file.
    const parts = JSON.parse(JSON.stringify(first.parts)) as ReplyPart[];
    await call(model, {
      thinking: true,
      messages: [
        { from: 'user', text: secretPrompt },
        { from: 'model', parts },
        { from: 'tools', results: [{ id, tool: 'read_file', text: 'four apples', isError: false }] },
        { from: 'user', text: 'Go on.' },
      ],
    });
    const sent = JSON.stringify(server.received[1]?.body);
    for (const text of [secretSystem, secretPrompt, thought, replyText, 'notes.md', 'four apples', 'Go on.'])
      expect(sent).toContain(text);
    if (reply.kind === 'anthropic') expect(sent).toContain('EqQBCgIYAg==');
    if (reply.kind === 'openai') expect(sent).toContain('gAAAAABo');
    if (reply.kind !== 'ollama') expect(sent).toContain(`"${id}"`);
    expect(server.received).toHaveLength(2);
  });

  test('a service that does not count is estimated, and said to be', async () => {
    const uncounted = (text: string): string =>
      text
        .replace(/"(?:prompt_tokens|prompt_eval_count|input_tokens)":\d+/g, (match) => match.replace(/\d+$/, '0'))
        .replace(/"cache_read_input_tokens":\d+/, '"cache_read_input_tokens":0');
    const plain = played(reply, stream);
    const server = await serveModel(() => ({
      ...plain,
      pieces: (plain.pieces ?? []).map((piece) => uncounted(piece.toString())),
    }));
    const got = await call(modelAt(reply.kind, server.url, { stream }));
    expect(got.estimated).toBe(true);
    expect(got.usage.input).toBeGreaterThan(20);
    expect(got.usage.output).toBeGreaterThan(5);
  });
});

describe('what is sent', () => {
  test.each(spoken)('$kind gets the key in its own header and nothing is kept there', async (reply) => {
    const server = await serveModel(() => played(reply, true));
    await call(modelAt(reply.kind, server.url));
    const { headers, body } = server.received[0]!;
    const key = reply.kind === 'anthropic' ? headers['x-api-key'] : headers['authorization'];
    expect(key).toBe(reply.kind === 'anthropic' ? secretKey : `Bearer ${secretKey}`);
    if (reply.kind === 'openai') expect(body['store']).toBe(false);
    expect(JSON.stringify(body).split(secretSystem)).toHaveLength(2);
    expect(JSON.stringify(body).split('Reads a file.')).toHaveLength(2);
  });

  test.each(spoken)('$kind without a key gets no header for one', async (reply) => {
    const server = await serveModel(() => played(reply, true));
    const model = modelAt(reply.kind, server.url);
    delete model.provider.keyEnv;
    await models({ secrets: new EnvironmentSecrets({}) }).call(requestTo(model));
    const { headers } = server.received[0]!;
    expect(headers['authorization']).toBeUndefined();
    expect(headers['x-api-key']).toBeUndefined();
  });

  test.each(spoken)(
    '$kind: a call whose arguments were no JSON goes back as an object that holds them',
    async (reply) => {
      const server = await serveModel(() => played(reply, true));
      await call(modelAt(reply.kind, server.url), {
        messages: [
          { from: 'user', text: 'Hello.' },
          { from: 'model', parts: [{ type: 'call', id: 'c1', tool: 'read_file', input: '{"path": "no' }] },
          {
            from: 'tools',
            results: [{ id: 'c1', tool: 'read_file', text: 'The arguments are cut off.', isError: true }],
          },
          { from: 'model', parts: [] },
          { from: 'user', text: 'Again.' },
        ],
      });
      const sent = JSON.stringify(server.received[0]?.body);
      expect(sent).toContain('unreadable');
      expect(sent).toContain('no');
      expect(sent).toContain('The arguments are cut off.');
    },
  );
});

describe('thinking', () => {
  const limitOf = (kind: string, body: Record<string, unknown>): unknown => {
    if (kind === 'ollama') return (body['options'] as Record<string, unknown>)['num_predict'];
    return body[kind === 'openai' ? 'max_output_tokens' : 'max_tokens'];
  };
  const asked: Record<string, { effort: object; budget: object }> = {
    anthropic: {
      effort: { thinking: { type: 'enabled', budget_tokens: 16_000 } },
      budget: { thinking: { type: 'enabled', budget_tokens: 16_000 } },
    },
    'openai-compatible': {
      effort: { reasoning_effort: 'high' },
      budget: { thinking: { type: 'enabled', budget_tokens: 16_000 } },
    },
    openai: {
      effort: { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] },
      budget: { reasoning: { effort: 'high' } },
    },
    ollama: { effort: { think: 'high' }, budget: { think: true } },
  };
  const cases = spoken.flatMap((reply) =>
    (['off', 'effort', 'budget'] as const).flatMap((thinking) =>
      [true, false].map((on) => ({ reply, kind: reply.kind, thinking, on })),
    ),
  );

  test.each(cases)('$kind, `$thinking`, asked: $on', async ({ reply, kind, thinking, on }) => {
    const server = await serveModel(() => played(reply, true));
    await call(modelAt(kind, server.url, { thinking }), { thinking: on, maxOutput: 4_000 });
    const { body } = server.received[0]!;
    if (on && thinking !== 'off') {
      expect(body).toMatchObject(asked[kind]![thinking]);
      expect(limitOf(kind, body)).toBe(20_000);
    } else {
      expect(body).not.toHaveProperty('thinking');
      expect(body).not.toHaveProperty('reasoning_effort');
      expect(body['reasoning'] ?? {}).not.toHaveProperty('effort');
      expect(body['think'] ?? false).toBe(false);
      expect(limitOf(kind, body)).toBe(4_000);
    }
    if (kind === 'ollama') expect(body['options']).toMatchObject({ num_ctx: 200_000 });
  });

  test('a newer model of Anthropic thinks as much as it likes within the limit', async () => {
    const server = await serveModel(() => played(spoken[0]!, true));
    await call(modelAt('anthropic', server.url, { thinking: 'effort', id: 'claude-opus-4-7' }), {
      thinking: true,
      maxOutput: 4_000,
    });
    expect(server.received[0]?.body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
      max_tokens: 20_000,
    });
  });

  test('a small context gives no more than a quarter to it', async () => {
    const server = await serveModel(() => played(spoken[3]!, true));
    await call(modelAt('ollama', server.url, { thinking: 'budget', context: 8_192 }), {
      thinking: true,
      maxOutput: 1_000,
    });
    expect(server.received[0]?.body['options']).toEqual({ num_ctx: 8_192, num_predict: 1_000 + 2_048 });
  });
});
