/* One judge: who is asked how often, through trouble and crashes. Real claims in a real store, a provider of one's own behind the real calls. */
import { describe, expect, test } from 'vitest';
import { JudgeTalk } from '../../../activities/judges/ask-judge.ts';
import { RequestLedger } from '../../../activities/llm/requests/request-ledger.ts';
import { RequestSpending } from '../../../activities/llm/requests/request-spending.ts';
import type { Grant } from '../../../domain/types/agent.ts';
import type { Model } from '../../../domain/types/llm.ts';
import { createScriptedModels, type ScriptedReply } from '../llm/requests/scripted-models.ts';

const modelOf = (name: string): Model => ({
  name,
  id: name,
  provider: { name: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9' },
  tier: 1,
  roles: ['verifier'],
  context: 10_000,
  output: 1_000,
  thinking: 'off',
  stream: false,
  price: { in: 1, out: 1 },
});

const [a, b] = [modelOf('a'), modelOf('b')];
const good = '{"passed": true, "confidence": 0.9}';

/** Answers by the number of the request; the last answer stays. */
function setUp(replies: ScriptedReply[], given: { models?: [Model, ...Model[]]; grant?: Grant } = {}) {
  const { store, requests, calls } = createScriptedModels(replies);
  const ledger = new RequestLedger(store, { task: 't', who: 'judge', stem: ['chain', 'notes', 1] });
  const notes: string[] = [];
  const start = (run = 1) => {
    const spending = new RequestSpending(
      'verifier',
      { used: { costUsd: 0, tokens: 0 }, models: [] },
      { grant: given.grant ?? {}, spent: {} },
    );
    const talk = new JudgeTalk({
      lens: 'overall',
      system: 'You judge.',
      form: 'Answer with one object.',
      models: given.models ?? [a, b],
      ledger,
      spending,
      calls,
      asker: { task: 't', role: 'verifier', subtask: 'notes', attempt: 1, part: 'judge 1' },
      run,
      criteria: [],
      show: (room) => 'x'.repeat(Math.min(room, 100)),
      signal: new AbortController().signal,
      redact: (text) => text,
      random: () => 0,
      note: (line) => void notes.push(line),
    });
    return { spending, ask: () => talk.ask() };
  };
  const names = (): string[] => requests.map(({ model }) => model.name);
  return { start, ledger, requests, names, notes };
}

describe('a judge', () => {
  test('that can be read is asked once', async () => {
    const { start, names } = setUp([good]);
    const { ask, spending } = start();
    expect(await ask()).toMatchObject({ model: 'a', reading: { verdict: 'pass' } });
    expect(names()).toEqual(['a']);
    expect(spending.used).toMatchObject({ modelCalls: 1, tokens: 15 });
  });

  test('shows each request, and each wait with its reason', async () => {
    const { start, notes } = setUp([{ status: 529 }, good]);
    await start().ask();
    expect(notes).toEqual([
      'judge 1: asking a, request 1 of 3',
      expect.stringMatching(/^judge 1: Retrying in [\d.]+ s: the provider mine is overloaded or not available$/),
      'judge 1: asking a, request 2 of 3',
    ]);
  });

  test.each<[string, ScriptedReply[], string[], object]>([
    ['cannot be read', ['hm'], ['a', 'a', 'b'], { isDead: false }],
    ['is overloaded', [{ status: 529 }], ['a', 'a', 'b'], { isDead: true }],
    ['is overloaded, then cannot be read', [{ status: 529 }, 'hm'], ['a', 'a', 'b'], { isDead: false }],
    ['knows no key', [{ status: 401 }], ['a', 'b'], { isDead: true }],
    [
      'knows no key, and another one does',
      [{ status: 401 }, good],
      ['a', 'b'],
      { model: 'b', reading: { verdict: 'pass' } },
    ],
    ['was cut off behind a yes', [{ cut: 'Verdict: PASS. The first' }], ['a', 'a', 'b'], { isDead: false }],
    ['was cut off behind an object with a yes', [{ cut: good }], ['a', 'a', 'b'], { isDead: false }],
    ['wrote more than is kept', [`Verdict: PASS.\n${'So it is. '.repeat(20_000)}`], ['a', 'a', 'b'], { isDead: false }],
    ['was cut off behind a no', [{ cut: 'Verdict: FAIL. The first' }], ['a'], { reading: { verdict: 'fail' } }],
    ['is repaired by itself', ['hm', good], ['a', 'a'], { model: 'a', reading: { verdict: 'pass' } }],
    ['is repaired by another', ['hm', 'hm', good], ['a', 'a', 'b'], { model: 'b', reading: { verdict: 'pass' } }],
  ])('that %s', async (_, replies, asked, ballot) => {
    const { start, names } = setUp(replies);
    expect(await start().ask()).toMatchObject(ballot);
    expect(names()).toEqual(asked);
  });

  test('without another model is asked a third time itself', async () => {
    const { start, names } = setUp(['hm', 'hm', good], { models: [a] });
    expect(await start().ask()).toMatchObject({ reading: { verdict: 'pass' } });
    expect(names()).toEqual(['a', 'a', 'a']);
  });

  test('is shown what it said, when that could not be read', async () => {
    const { start, requests } = setUp(['nobody knows', good]);
    await start().ask();
    expect(JSON.stringify(requests[1]?.messages)).toContain('nobody knows');
  });

  test('that was answered before a crash is not asked again, and is paid once', async () => {
    const { start, names } = setUp([good]);
    await start().ask();
    const { ask, spending } = start();
    expect(await ask()).toMatchObject({ reading: { verdict: 'pass' } });
    expect(names()).toEqual(['a']);
    expect(spending.used).toMatchObject({ modelCalls: 1, tokens: 15 });
  });

  test('whose request was lost in a crash is asked as before, is charged for both, and has one request less', async () => {
    const { start, ledger, requests } = setUp(['hm']);
    await ledger.ask({ run: 1, request: 1 }, { model: 'a', tokens: 100, costUsd: 0 });
    const { ask, spending } = start();
    expect(await ask()).toMatchObject({ isDead: false });
    expect(requests.map(({ asker }) => asker.turn)).toEqual([1, 2]);
    expect(spending.used).toMatchObject({ modelCalls: 3, tokens: 130 });
  });

  test('is never asked more than three times, however often it crashes', async () => {
    const { start, ledger, names } = setUp([good]);
    for (const request of [1, 2, 3]) await ledger.ask({ run: 1, request }, { model: 'a', tokens: 1, costUsd: 0 });
    expect(await start().ask()).toMatchObject({ isDead: true });
    expect(names()).toEqual([]);
  });

  test('that is asked again counts on: its tries have numbers of their own', async () => {
    const { start, requests } = setUp(['hm', good, good]);
    await start(1).ask();
    await start(2).ask();
    expect(requests.map(({ asker }) => asker.turn)).toEqual([1, 2, 3]);
  });

  test('spends no more calls than it was granted', async () => {
    const { start, names } = setUp(['hm'], { grant: { modelCalls: 2 } });
    expect(await start().ask()).toEqual({ lacks: ['modelCalls'] });
    expect(names()).toEqual(['a', 'a']);
  });

  test('of two workers that both believe it is theirs, one asks', async () => {
    const { start, names } = setUp([good]);
    const both = await Promise.allSettled([start().ask(), start().ask()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(names()).toEqual(['a']);
  });
});
