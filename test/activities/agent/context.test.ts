// A conversation that outgrows its model, on real files: it is folded, goes on, and what was folded can be read again.
import { estimateTokenCount } from 'tokenx';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { ModelReply, ModelRequest, Models } from '../../../activities/llm/ports/model.ts';
import { createToolRegistry } from '../../../activities/tools/built-in-tools.ts';
import type { ReplyPart } from '../../../domain/conversation/message.ts';
import type { Model } from '../../../domain/types/llm.ts';
import { failureIn, finished } from '../execute/program/support.ts';
import { call, finish, makeAgentRig, model, reply, text, trouble, type AgentRig, type Given } from './support.ts';

/** Most of a request was in the one before it. */
const counted = new Map<string, number>();

function countOf(text: string): number {
  const count = counted.get(text) ?? estimateTokenCount(text);
  counted.set(text, count);
  return count;
}

/** The size of a request, counted as a service would count it. */
const sizeOf = ({ system, messages, tools }: ModelRequest): number =>
  [system, JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))]
    .map(countOf)
    .reduce((sum, count) => sum + count, 0);

const { price, ...unpricedModel } = model;
const unpriced: Model = { ...unpricedModel, name: 'brief', roles: ['compactor'] };
const compactor: Model = { ...unpriced, ...(price === undefined ? {} : { price }) };

type ScriptedReply = ReplyPart[] | ModelReply | Error;
type Play = (turn: number, request: ModelRequest) => ScriptedReply;
type Summarise = (request: ModelRequest) => ScriptedReply;

/** Answers as the test says, counts what it is sent, and refuses what is above the window. */
class Service implements Models {
  readonly requests: ModelRequest[] = [];
  readonly asked: ModelRequest[] = [];
  readonly #play: Play;
  readonly #summarise: Summarise;

  constructor(play: Play, summarise: Summarise = () => [text('It read files.')]) {
    this.#play = play;
    this.#summarise = summarise;
  }

  async call(request: ModelRequest): Promise<ModelReply> {
    const isSummary = request.asker.role === 'compactor';
    (isSummary ? this.asked : this.requests).push(request);
    await Promise.resolve();
    const scripted = isSummary ? this.#summarise(request) : this.#play(request.asker.turn, request);
    if (scripted instanceof Error) throw scripted;
    const input = sizeOf(request);
    return Array.isArray(scripted)
      ? reply(scripted, { usage: { input, output: 50, cached: 0, reasoning: 0 } })
      : scripted;
  }

  /** The largest share of the window that a request and its reply may take together. */
  get fullest(): number {
    return Math.max(...this.requests.map((request) => (sizeOf(request) + request.maxOutput) / request.model.context));
  }
}

const read = (path: string, from = 1): ReplyPart => call('read_file', { path, from, lines: 100 });

const longFile = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1} of a long file with words in it`).join(
  '\n',
);

async function makeRig(): Promise<AgentRig> {
  const rig = await makeAgentRig({ registry: createToolRegistry() });
  await writeFile(join(rig.workspace, 'long.txt'), longFile);
  return rig;
}

/** About 1,500 tokens a turn, no two alike. */
const reads =
  (turns: number) =>
  (turn: number): ReplyPart[] =>
    turn > turns ? [finish()] : [text(`Step ${turn}.`), read('long.txt', turn * 100)];

/** A busy machine has its time. */
const patient = { timeout: 10 * 60_000 };
const small: Given = { iterations: 100, model: { context: 20_000, output: 1_000 }, input: patient };

describe('a conversation of 40 turns in a window for ten of them', () => {
  test('fits at every request, keeps its beginning between two folds, tells what was folded, and comes to its end', async () => {
    const rig = await makeRig();
    const service = new Service(reads(40));
    const outcome = finished(await rig.execute(service, small));
    expect(service.requests).toHaveLength(41);
    expect(service.fullest).toBeLessThanOrEqual(1);
    expect(await rig.read(outcome.output)).toMatch(/^ {4}compacted \d+ turns, \d+ tokens to \d+$/m);
    expect(await rig.read(outcome.transcript)).toMatch(/^_Compacted \d+ turns, \d+ tokens to \d+/m);
    expect(outcome.used.modelCalls).toBe(41);
    // It keeps its beginning between two folds, so that a provider has it in its cache.
    const texts = service.requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)));
    const kept = texts.slice(1).filter((now, index) => texts[index]?.every((one, at) => now[at] === one));
    // Never twice within three turns.
    expect(kept.length).toBeGreaterThanOrEqual((40 * 2) / 3);
    expect(kept.length).toBeLessThan(40);
  });

  test('can read the whole of what was shortened, as often as it likes', async () => {
    const rig = await makeRig();
    const service = new Service((turn) => {
      if (turn <= 30) return reads(40)(turn);
      const asked = ['ref:2.1', 'ref:2', 'ref:2.1/arguments', 'ref:99.1', 'ref:nonsense'];
      return turn === 31 ? asked.map((path) => ({ ...call('read_file', { path }), id: path })) : [finish()];
    });
    finished(await rig.execute(service, small));
    const before = JSON.stringify(service.requests[30]?.messages);
    expect(before).toContain('ref:2.1');
    expect(before).not.toContain('line 250 of');
    const last = service.requests[31]?.messages.at(-1);
    const results = last?.from === 'tools' ? last.results : [];
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true, true]);
    expect(results[0]?.text).toContain('line 250 of a long file');
    expect(results[1]?.text).toContain('Step 2.');
    expect(results[2]?.text).toContain('path:\nlong.txt\nfrom:\n200');
    expect(results[3]?.text).toContain('This conversation has no ref:99.1');
  });

  test('fails at the end of the window where the config says off', async () => {
    const rig = await makeRig();
    const service = new Service(reads(40));
    const outcome = await rig.execute(service, { ...small, context: { mode: 'off' } });
    expect(failureIn(outcome).type).toBe('context-overflow');
    expect(service.fullest).toBeLessThanOrEqual(1);
  });

  test('sends the same again after it was interrupted, whenever that was', async () => {
    const rig = await makeRig();
    const cut = new Set([7, 9, 11, 12, 13, 20, 33]);
    const service = new Service((turn) => (cut.delete(turn) ? trouble('overloaded') : reads(40)(turn)));
    let outcome = await rig.execute(service, small).catch(() => undefined);
    for (let start = 1; start < 10 && outcome?.kind !== 'finished'; start += 1)
      outcome = await rig.execute(service, small).catch(() => undefined);
    expect(outcome?.kind).toBe('finished');
    for (const turn of [7, 9, 11, 12, 13, 20, 33]) {
      const [first, second] = service.requests.filter(({ asker }) => asker.turn === turn);
      expect(JSON.stringify(second?.messages)).toBe(JSON.stringify(first?.messages));
      expect(second?.maxOutput).toBe(first?.maxOutput);
    }
  });
});

describe('the real count of a provider', () => {
  test('is believed where it is more than the estimate', async () => {
    const rig = await makeRig();
    const dear = new Service((turn, request) =>
      reply(reads(12)(turn), { usage: { input: sizeOf(request) * 2, output: 50, cached: 0, reasoning: 0 } }),
    );
    finished(await rig.execute(dear, small));
    expect(Math.max(...dear.requests.map(sizeOf))).toBeLessThan(11_000);
  });
});

describe('a provider that refuses a request as too large', () => {
  /** Its window is smaller than anybody said. */
  const tight = (most: number, refusals: number[]) =>
    new Service((turn, request) => {
      if (sizeOf(request) <= most) return reads(20)(turn);
      refusals.push(turn);
      return trouble('context-overflow');
    });

  test('is asked once more, with less, and never again with as much', async () => {
    const rig = await makeRig();
    const refusals: number[] = [];
    const service = tight(9_000, refusals);
    const outcome = finished(await rig.execute(service, small));
    expect(refusals).toHaveLength(1);
    expect(service.requests).toHaveLength(22);
    expect(outcome.used.modelCalls).toBe(21);
    expect(await rig.read(outcome.output)).toContain('the model refused the request as too large: compacted');
  });

  test('fails the attempt when it refuses that too', async () => {
    const rig = await makeRig();
    const service = new Service((turn) => (turn < 8 ? reads(20)(turn) : trouble('context-overflow')));
    expect(failureIn(await rig.execute(service, small)).type).toBe('context-overflow');
    expect(service.requests.filter(({ asker }) => asker.turn === 8)).toHaveLength(2);
    const [first, second] = service.requests.slice(-2);
    expect(second === undefined || first === undefined ? 1 : sizeOf(second) / sizeOf(first)).toBeLessThan(0.6);
  });

  test('is not asked again where the config says off', async () => {
    const rig = await makeRig();
    const service = new Service(() => trouble('context-overflow'));
    failureIn(await rig.execute(service, { ...small, context: { mode: 'off' } }));
    expect(service.requests).toHaveLength(1);
  });

  test('is asked for a shorter reply where there is nothing to fold', async () => {
    const rig = await makeRig();
    const service = new Service((turn, request) =>
      sizeOf(request) + request.maxOutput > 8_000 ? trouble('context-overflow') : [finish()],
    );
    finished(await rig.execute(service, { ...small, model: { context: 32_000, output: 7_000 } }));
    expect(service.requests.map(({ maxOutput }) => maxOutput > 6_000)).toEqual([true, false]);
  });
});

/** Notes are short already: only merging helps. */
const notes =
  (turns: number) =>
  (turn: number): ReplyPart[] =>
    turn > turns ? [finish()] : [call('note', { text: `${turn} ${'a fact '.repeat(80)}` })];

describe('turns that cannot get shorter', () => {
  const tiny: Given = {
    iterations: 300,
    model: { context: 8_000, output: 500, roles: ['executor'] },
    input: patient,
  };

  test('are merged into a list of what was done, with what a person said and what is to be done', async () => {
    const rig = await makeRig();
    const todo = { items: [{ text: 'count the lines', done: false }] };
    const service = new Service((turn) => (turn === 1 ? [call('todo', todo)] : notes(60)(turn)));
    const outcome = finished(await rig.execute(service, tiny));
    expect(service.fullest).toBeLessThanOrEqual(1);
    const [first, summary] = service.requests.at(-1)?.messages ?? [];
    expect(first).toEqual(service.requests[0]?.messages[0]);
    const summaryText = summary?.from === 'user' ? summary.text : '';
    expect(summaryText).toMatch(/^This is a summary of turns 1 to \d+ of this conversation/);
    expect(summaryText).toContain('Your open todos:\n- count the lines');
    expect(summaryText).toMatch(/\d+\.1 note: \d+ a fact/);
    expect(outcome.used.modelCalls).toBe(61);
    expect(await rig.read(outcome.output)).toMatch(/the first \d+ to a summary$/m);
  });

  test('are told as the config said when the conversation began, without secrets, whoever goes on with it', async () => {
    const rig = await makeAgentRig({ registry: createToolRegistry(), env: { KEY: 'a-key-of-its-user' } });
    let cut = true;
    const service = new Service((turn) => {
      if (turn !== 2 || !cut) return notes(40)(turn);
      cut = false;
      return trouble('overloaded');
    });
    const given = { ...tiny, models: [compactor], variables: ['KEY'] };
    const prompts = {
      executor: { role: { replace: 'You count, with a-key-of-its-user.' } },
      compactor: { constraints: 'Keep all numbers, not a-key-of-its-user.' },
    };
    await rig.execute(service, { ...given, prompts });
    expect(service.asked).toEqual([]);
    finished(await rig.execute(service, given));
    const systems = [...service.requests, ...service.asked].map(({ system }) => system);
    expect(new Set(systems).size).toBe(2);
    expect(systems[0]).toMatch(/^You count, with /);
    expect(service.asked[0]?.system).toMatch(/^You summarise .*irrelevant.*\nKeep all numbers, not /s);
    expect(systems.join()).not.toContain('a-key-of-its-user');
  });

  test('are told by the model for summaries where there is one, which counts like every call', async () => {
    const rig = await makeRig();
    const service = new Service(notes(60));
    const outcome = finished(await rig.execute(service, { ...tiny, models: [compactor] }));
    expect(service.asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(service.requests.at(-1)?.messages[1])).toContain('It read files.');
    const [request] = service.asked;
    expect(request).toMatchObject({ tools: [], thinking: false, asker: { role: 'compactor', turn: 1 } });
    expect(outcome.used.modelCalls).toBe(61 + service.asked.length);
    expect(outcome.models).toMatchObject([
      { model: 'small', calls: 61 },
      { model: 'brief', calls: service.asked.length },
    ]);
    expect(outcome.used.tokens).toBe(outcome.models?.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(await rig.read(outcome.output)).toContain('to a summary by brief');
  });

  test.each<[string, () => ScriptedReply, Given]>([
    ['cannot be asked', () => trouble('overloaded'), {}],
    ['says nothing', () => [], {}],
    ['calls a tool', () => [call('note', { text: 'x' })], {}],
    ['does not come to an end', () => reply([text('It read')], { finish: 'length' }), {}],
    ['may not be asked', () => [text('It read files.')], { context: { summaries: 0 } }],
    ['has no price under a limit', () => [text('It read.')], { models: [unpriced] }],
    ['has hardly any time', () => [text('It read.')], { input: { timeout: 50_000 } }],
  ])('are listed where that model %s', async (what, summarise, given) => {
    const rig = await makeRig();
    const service = new Service(notes(40), summarise);
    const grant = what.includes('price') ? { costUsd: 100 } : {};
    const outcome = finished(await rig.execute(service, { ...tiny, models: [compactor], agent: { grant }, ...given }));
    expect(JSON.stringify(service.requests.at(-1)?.messages[1])).toMatch(/\d+\.1 note: /);
    expect(service.fullest).toBeLessThanOrEqual(1);
    const isAsked = !/may not|price|time/.test(what);
    expect(service.asked.length > 0).toBe(isAsked);
    expect(outcome.kind).toBe('finished');
  });

  test('are not paid for twice when the process dies after the summary was given', async () => {
    const rig = await makeRig();
    let cut = true;
    const service = new Service((turn) => {
      if (service.asked.length === 1 && cut) {
        cut = false;
        return trouble('overloaded');
      }
      return notes(40)(turn);
    });
    const given = { ...tiny, models: [compactor] };
    await rig.execute(service, given);
    const before = service.asked.length;
    expect(before).toBe(1);
    const outcome = finished(await rig.execute(service, given));
    expect(outcome.models?.[1]?.calls).toBe(service.asked.length);
    expect(service.asked.map(({ asker }) => asker.turn)).toEqual(service.asked.map((_, index) => index + 1));
  });

  test('and the last one alone is too large: the attempt fails, and nothing above the window is sent', async () => {
    const rig = await makeRig();
    const service = new Service((turn) =>
      turn === 3
        ? Array.from({ length: 12 }, (_, n) => ({ ...read('long.txt', n * 100 + 1), id: `r${n}` }))
        : notes(9)(turn),
    );
    expect(failureIn(await rig.execute(service, tiny)).type).toBe('context-overflow');
    expect(service.requests).toHaveLength(3);
  });
});
