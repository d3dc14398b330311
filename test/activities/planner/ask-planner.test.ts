/* The conversation with a model that plans: who is asked how often, through trouble and crashes. Real claims in a real store. */
import { estimateTokenCount } from 'tokenx';
import { describe, expect, test } from 'vitest';
import { PlannerTalk } from '../../../activities/planner/ask-planner.ts';
import { RequestLedger } from '../../../activities/llm/requests/request-ledger.ts';
import { RequestSpending } from '../../../activities/llm/requests/request-spending.ts';
import type { Grant } from '../../../domain/types/agent.ts';
import type { Model } from '../../../domain/types/llm.ts';
import { createScriptedModels, type ScriptedReply } from '../llm/requests/scripted-models.ts';

const model: Model = {
  name: 'a',
  id: 'a',
  provider: { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9' },
  tier: 1,
  roles: ['planner'],
  context: 10_000,
  output: 1_000,
  thinking: 'off',
  stream: false,
  price: { in: 1, out: 1 },
};

/** Answers by the number of the request; the last answer stays. `good` is a plan, all else is not. */
function setUp(replies: ScriptedReply[], grant: Grant = {}, goal = '') {
  const { store, requests, calls } = createScriptedModels(replies);
  const ledger = new RequestLedger(store, { task: 't', who: 'planner', stem: ['chain'] });
  const notes: string[] = [];
  const start = (round = 1) => {
    const spending = new RequestSpending('planner', { used: { costUsd: 0, tokens: 0 }, models: [] }, { grant });
    const talk = new PlannerTalk({
      ...{ task: 't', model, system: 'You plan.', ledger, spending, calls, round, tries: 3 },
      show: (room) => `${goal}${'x'.repeat(Math.min(room, 100))}`,
      read: (text) =>
        Promise.resolve(text === 'good' ? { plan: 'a plan' } : { problems: [`${text.slice(0, 20)} is wrong`] }),
      signal: new AbortController().signal,
      redact: (text) => text,
      note: (line) => void notes.push(line),
    });
    return { spending, ask: () => talk.ask() };
  };
  return { start, requests, ledger, notes };
}

describe('a model that plans', () => {
  test('is told in the same conversation what was wrong, once for each try', async () => {
    const { start, requests, notes } = setUp(['bad', 'worse', 'good']);
    const { ask, spending } = start();
    expect(await ask()).toEqual({ plan: 'a plan' });
    expect(notes).toEqual([
      'Asking a for the plan, try 1 of 3',
      'Asking a for the plan, try 2 of 3: bad is wrong',
      'Asking a for the plan, try 3 of 3: worse is wrong',
    ]);
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
    expect(JSON.stringify(requests[2]?.messages)).toContain('- worse is wrong');
    expect(requests.every(({ tools }) => tools.length === 0)).toBe(true);
    expect(spending.used).toMatchObject({ modelCalls: 3, tokens: 45 });
    expect(spending.models).toMatchObject([{ model: 'a', role: 'planner', calls: 3 }]);
  });

  test('that gives no plan is not asked a fourth time', async () => {
    const { start, requests } = setUp(['bad']);
    expect(await start().ask()).toEqual({ problems: ['bad is wrong'] });
    expect(await start().ask()).toEqual({ problems: ['bad is wrong'] });
    expect(requests).toHaveLength(3);
  });

  test('is not paid twice for an answer that is there, whoever asks again', async () => {
    const { start, requests } = setUp(['bad', 'good']);
    await start().ask();
    const again = start();
    expect(await again.ask()).toEqual({ plan: 'a plan' });
    expect(requests).toHaveLength(2);
    expect(again.spending.used).toMatchObject({ modelCalls: 2, tokens: 30 });
  });

  test('uses no try while it is busy: the next call continues the conversation', async () => {
    const { start, requests } = setUp([{ status: 529 }, 'bad', { status: 503 }, 'bad', 'good']);
    const busy = { why: 'The provider mine is overloaded or not available.', category: 'transient' };
    expect(await start().ask()).toMatchObject({ outage: busy });
    expect(await start().ask()).toMatchObject({ outage: busy });
    expect(await start().ask()).toEqual({ plan: 'a plan' });
    expect(requests).toHaveLength(5);
  });

  test('is asked once with credentials that are refused, and once more by each later call', async () => {
    const { start, requests } = setUp([{ status: 401 }, { status: 401 }, 'good']);
    const refused = { problems: [expect.stringContaining('auth')], refusal: { type: 'auth', provider: 'mine' } };
    expect(await start().ask()).toMatchObject(refused);
    expect(await start().ask()).toMatchObject(refused);
    expect(await start().ask()).toEqual({ plan: 'a plan' });
    expect(requests).toHaveLength(3);
  });

  test('that cannot be asked at all is asked once', async () => {
    const { start, requests } = setUp([{ status: 404 }]);
    const answer = await start().ask();
    expect(answer).toEqual({ problems: [expect.stringContaining('context-missing')] });
    expect(await start().ask()).toEqual(answer);
    expect(requests).toHaveLength(1);
  });

  test('is not asked beyond the budget', async () => {
    const { start, requests } = setUp(['bad'], { modelCalls: 2 });
    expect(await start().ask()).toMatchObject({ problems: [expect.stringContaining('modelCalls')] });
    expect(requests).toHaveLength(2);
  });

  test('counts a request that a crash lost as paid, and asks again', async () => {
    const { start, requests, ledger } = setUp(['good']);
    await ledger.ask({ run: 1, request: 1 }, { model: 'a', tokens: 100, costUsd: 0.1 });
    const { ask, spending } = start();
    expect(await ask()).toEqual({ plan: 'a plan' });
    expect(requests).toHaveLength(1);
    expect(spending.used).toMatchObject({ modelCalls: 2, tokens: 115 });
  });

  test('is sent no more than its window takes, however long its answers are', async () => {
    const wall = 'word '.repeat(6_000);
    const { start, requests } = setUp([wall, wall, 'good']);
    expect(await start().ask()).toEqual({ plan: 'a plan' });
    const tokens = requests.map(({ system, messages }) => estimateTokenCount(`${system}${JSON.stringify(messages)}`));
    expect(Math.max(...tokens)).toBeLessThan(model.context - model.output);
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
  });

  test('is not asked about a goal that does not fit', async () => {
    const { start, requests } = setUp(['good'], {}, 'word '.repeat(20_000));
    expect(await start().ask()).toMatchObject({ problems: [expect.stringContaining('too long for the window')] });
    expect(requests).toEqual([]);
  });

  test('begins another round with all its tries', async () => {
    const { start, requests } = setUp(['good', 'bad', 'good']);
    await start(1).ask();
    const second = start(2);
    expect(await second.ask()).toEqual({ plan: 'a plan' });
    expect(requests.map(({ asker }) => asker.turn)).toEqual([1, 2, 3]);
    expect(second.spending.used).toMatchObject({ modelCalls: 3 });
  });
});
