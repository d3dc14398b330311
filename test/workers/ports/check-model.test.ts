// One request to a model, and what is told of it. The model is played at the port of models.
import { expect, test } from 'vitest';
import { ModelError, type ModelReply, type ModelRequest, type Models } from '../../../activities/llm/ports/model.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { checkModel, passingClaims } from '../../../workers/ports/check-model.ts';
import { model } from '../../domain/llm/support.ts';

const reply: ModelReply = {
  parts: [{ type: 'text', text: 'yes' }],
  finish: 'stop',
  usage: { input: 20, output: 1, cached: 0, reasoning: 0 },
  took: 1,
};
const failure: Failure = {
  type: 'auth',
  category: 'never-retry',
  signature: 'auth-1',
  summary: 'The key was refused',
  details: 'sk-secret',
  rootCause: '',
  suggestedFix: '',
};

function played(answer: () => Promise<ModelReply>): { models: Models; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const call = (request: ModelRequest): Promise<ModelReply> => {
    asked.push(request);
    return answer();
  };
  return { models: { call }, asked };
}

const keyed = model('m', {
  provider: { name: 'p', kind: 'openai', keyEnv: 'KEY' },
  roles: ['verifier'],
  output: 100,
  price: { in: 1, out: 10 },
});

test('an answer has its tokens and its price, by one request without tools or thinking', async () => {
  const { models, asked } = played(() => Promise.resolve(reply));
  expect(await checkModel(models, keyed, { KEY: 'k' })).toEqual({
    ok: true,
    latencyMs: expect.any(Number) as number,
    tokens: 21,
    costUsd: 0.00003,
  });
  expect(asked).toMatchObject([
    { model: keyed, tools: [], thinking: false, maxOutput: 100, asker: { role: 'verifier', turn: 1 } },
  ]);
});

test('each check is a task of its own for a script', async () => {
  const { models, asked } = played(() => Promise.resolve(reply));
  await checkModel(models, keyed, { KEY: 'k' });
  await checkModel(models, keyed, { KEY: 'k' });
  expect(new Set(asked.map(({ asker }) => asker.task)).size).toBe(2);
});

test.each([{}, { KEY: '' }])('without its key nothing is sent: %j', async (env) => {
  const { models, asked } = played(() => Promise.resolve(reply));
  expect(await checkModel(models, keyed, env)).toMatchObject({ ok: false, error: 'KEY is not set here' });
  expect(asked).toEqual([]);
});

test('a refusal is told by its summary, any other error without its text', async () => {
  const refused = played(() => Promise.reject(new ModelError(failure)));
  expect(await checkModel(refused.models, keyed, { KEY: 'k' })).toMatchObject({
    ok: false,
    error: 'The key was refused',
  });
  const broken = played(() => Promise.reject(new Error('POST {"key":"sk-secret"}')));
  const check = await checkModel(broken.models, keyed, { KEY: 'k' });
  expect(check).toMatchObject({ ok: false, error: 'the request could not be made' });
  expect(JSON.stringify(check)).not.toContain('sk-secret');
});

test('the first claim of a name holds', async () => {
  const store = passingClaims();
  const key = { task: 't', name: 'n' };
  expect(await store.peek(key)).toBeUndefined();
  expect(await store.claim(key, 'a')).toEqual({ mine: true, value: 'a' });
  expect(await store.claim(key, 'b')).toEqual({ mine: false, value: 'a' });
  expect(await store.peek(key)).toBe('a');
});
