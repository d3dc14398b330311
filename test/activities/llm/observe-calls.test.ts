// Every call of a model is told once when it has ended: by whom, how, how long, what it cost, and nothing of what was said.
import { describe, expect, test } from 'vitest';
import { ModelError, type Models } from '../../../activities/llm/ports/model.ts';
import { observeCalls } from '../../../activities/llm/observe-calls.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';
import type { ModelCall } from '../../../domain/llm/model-call.ts';
import { modelAt, requestTo, secretPrompt, secretSystem } from './provider/support.ts';

const usage = { input: 1_000, output: 100, cached: 400, reasoning: 0 };
const reply = { parts: [{ type: 'text' as const, text: 'a long secret answer' }], usage, took: 1_234 };
const request = requestTo(modelAt('anthropic', 'http://127.0.0.1:1', { price: { in: 10, out: 20, cached: 1 } }));

async function observe(models: Models, signal = new AbortController().signal): Promise<ModelCall[]> {
  const calls: ModelCall[] = [];
  await observeCalls(models, (call) => calls.push(call))
    .call({ ...request, signal })
    .catch(() => undefined);
  return calls;
}

const failing = (error: Error): Models => ({ call: () => Promise.reject(error) });
const trouble = (type: FailureType, mayCost = false): ModelError =>
  new ModelError(buildFailure(type, { summary: `it is ${type}` }), { mayCost });

describe('a call', () => {
  test('that was answered is told with tokens, cost and time', async () => {
    const [call, ...others] = await observe({ call: () => Promise.resolve({ ...reply, finish: 'stop' }) });
    expect(others).toEqual([]);
    expect(call).toEqual({
      asker: request.asker,
      model: 'small',
      outcome: 'ok',
      ms: 1_234,
      reply: { usage, costUsd: (600 * 10 + 400 * 1 + 100 * 20) / 1e6 },
    });
    const text = JSON.stringify(call);
    for (const secret of ['secret answer', secretPrompt, secretSystem]) expect(text).not.toContain(secret);
  });

  test.each<[string, Models, ModelCall['outcome']]>([
    ['that the model refused', { call: () => Promise.resolve({ ...reply, finish: 'refusal' }) }, 'refusal'],
    ['that was too much at once (429)', failing(trouble('rate-limited')), 'rate-limited'],
    ['of an overloaded service (529)', failing(trouble('overloaded')), 'overloaded'],
    ['whose stream was cut', failing(trouble('overloaded', true)), 'cut'],
    ['with a wrong key', failing(trouble('auth')), 'auth'],
    ['that broke in our own code', failing(new Error('a bug')), 'unknown'],
  ])('%s', async (_, models, outcome) => {
    expect(await observe(models)).toMatchObject([{ outcome, asker: request.asker }]);
  });

  test('that was stopped', async () => {
    const stop = new AbortController();
    const models: Models = {
      call: () => {
        stop.abort('cancelled');
        return Promise.reject(new Error('aborted'));
      },
    };
    expect(await observe(models, stop.signal)).toMatchObject([{ outcome: 'stopped' }]);
  });

  test('is passed on as it ended', async () => {
    const error = trouble('auth');
    await expect(observeCalls(failing(error), () => undefined).call(request)).rejects.toBe(error);
  });
});
