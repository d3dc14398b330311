// An agent's attempt as Temporal calls it: each rule of the loop, on real files, with a scripted model.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { ReplyPart } from '../../../domain/conversation/message.ts';
import { failureIn, finished } from '../execute/program/support.ts';
import { call, callUsd, finish, makeAgentRig, reply, ScriptedModels, suspendedIn, text, trouble } from './support.ts';

const write = (path: string, content: string): ReplyPart => call('write_file', { path, content });
const read = (path: string): ReplyPart => call('read_file', { path });

describe('a conversation', () => {
  test('reads, writes and finishes, and says what it used and by which model', async () => {
    const rig = await makeAgentRig();
    await writeFile(join(rig.workspace, 'in.txt'), 'hello');
    const models = new ScriptedModels(
      [text('I look.'), read('in.txt')],
      [write('NOTES.md', 'hello there'), call('narrate', { text: 'I wrote it' })],
      [finish({ notes: 'wrote it', deliverablesTouched: ['NOTES.md'] })],
    );
    const outcome = finished(await rig.execute(models));
    expect(outcome.contract).toEqual({ status: 'success', notes: 'wrote it', deliverablesTouched: ['NOTES.md'] });
    expect(await readFile(join(rig.workspace, 'NOTES.md'), 'utf8')).toBe('hello there');
    expect(outcome.used).toEqual({ costUsd: 3 * callUsd, tokens: 330, modelCalls: 3, toolCalls: 2, mutations: 1 });
    expect(outcome.models).toEqual([{ model: 'small', role: 'executor', calls: 3, tokens: 330, costUsd: 3 * callUsd }]);
    expect(models.heard(2)).toContain('hello');
    const log = await rig.read(outcome.output);
    expect(log).toContain('[1] small: 100 tokens in, 10 out');
    expect(log).toContain('write_file');
    expect(log).toContain('I wrote it');
    const transcript = await rig.read(outcome.transcript);
    expect(transcript).toContain('## Turn 3');
    expect(transcript).toContain('Write NOTES.md.');
  });

  test('says in every call what is to be done, where the task stands and what may be touched', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')], [finish()]);
    await rig.execute(models, { deliverables: ['NOTES.md'], input: { thinking: true }, agent: { outputFactor: 2 } });
    for (const request of models.requests) {
      const [first] = request.messages;
      const firstMessage = first?.from === 'user' ? first.text : '';
      for (const part of [
        'Write NOTES.md.',
        'Goal of the task: the goal',
        '2 pending',
        'draft: yours',
        'working folder',
      ])
        expect(firstMessage).toContain(part);
      expect(firstMessage).not.toContain('on the very last line');
      expect(request).toMatchObject({ thinking: true, maxOutput: 2_000 });
    }
  });

  test('counts a last text that holds the contract as a report', async () => {
    const rig = await makeAgentRig();
    const report = 'All done.\n{"status": "success", "notes": "by text"}';
    const outcome = finished(await rig.execute(new ScriptedModels([text(report)])));
    expect(outcome.contract?.notes).toBe('by text');
  });
});

describe('a report', () => {
  test.each([
    ['failed', 'the tests fail', 'tool-failed'],
    ['failed', 'HTTP 503 from the registry', 'tool-failed'],
    ['blocked', 'there is no data', 'blocked'],
  ])('%s "%s" is believed, as %s', async (status, notes, type) => {
    const rig = await makeAgentRig();
    expect(failureIn(await rig.execute(new ScriptedModels([finish({ status, notes })]))).type).toBe(type);
  });

  test('does not count beside a call that failed in the same reply', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('missing'), finish()], [finish({ status: 'partial', notes: 'gap' })]);
    const outcome = finished(await rig.execute(models));
    expect(outcome.contract?.status).toBe('partial');
    expect(models.heard(2)).toContain('Not finished yet');
  });
});

describe('two reports in one reply', () => {
  test.each([
    ['failed, then success', ['failed', 'success']],
    ['success, then failed', ['success', 'failed']],
    ['success twice', ['success', 'success']],
  ])('%s: neither is taken', async (_, [first, second]) => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(
      [read('a'), finish({ status: first ?? '' }), finish({ status: second ?? '' })],
      [finish({ status: 'partial', notes: 'one report' })],
    );
    await writeFile(join(rig.workspace, 'a'), 'a');
    expect(finished(await rig.execute(models)).contract).toMatchObject({ status: 'partial', notes: 'one report' });
    expect(models.heard(2).match(/must be the last call of a reply, and come once/g)).toHaveLength(2);
  });
});

describe('a reply of 10,000 calls', () => {
  test('runs as many as a reply may have and answers each of the others by one line', async () => {
    const rig = await makeAgentRig();
    const many = Array.from({ length: 9_999 }, (_, index) => read(`missing-${index}`));
    const models = new ScriptedModels([...many, finish()], [finish({ status: 'partial', notes: 'gap' })]);
    const outcome = finished(await rig.execute(models, { model: { context: 2_000_000 } }));
    expect(outcome.contract?.status).toBe('partial');
    expect(outcome.used.toolCalls).toBe(32);
    const heard = models.heard(2).split('\n');
    expect(heard.filter((line) => line === 'Not run: at most 32 calls run in one reply.')).toHaveLength(10_000 - 32);
  });
});

describe('what a provider counts', () => {
  test.each([1e308, 100_001, Infinity, -5, NaN])('%s tokens cannot be: our own estimate is charged', async (count) => {
    const rig = await makeAgentRig();
    const absurd = { input: count, output: count, cached: count, reasoning: count };
    const models = new ScriptedModels(reply([read('a')], { usage: absurd }), [finish()]);
    const { used } = finished(await rig.execute(models));
    expect(used.tokens).toBeGreaterThan(110 + 100);
    expect(used.tokens).toBeLessThan(110 + 10_000);
    expect(used.modelCalls).toBe(2);
  });
});

describe('a reply that cannot be used', () => {
  test.each<[string, ReplyPart[], string]>([
    ['an unknown tool', [call('fly', {})], 'There is no tool of that name. You have read_file'],
    ['arguments that are no JSON', [call('read_file', '{"path"')], 'read_file was not run.'],
    ['arguments that do not fit', [call('read_file', { file: 'a' })], 'Send one JSON object with path.'],
    ['nothing at all', [], 'empty'],
  ])('%s is reminded of twice, at once, and then fails', async (_, parts, expected) => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(parts);
    const failure = failureIn(await rig.execute(models));
    expect(failure.type).toBe('format-invalid');
    expect(models.requests).toHaveLength(3);
    expect(models.heard(2)).toContain(expected);
    const mended = new ScriptedModels(parts, parts, [finish()]);
    expect((await rig.execute(mended, { input: { attempt: 2 } })).kind).toBe('finished');
  });

  test('a call that was cut off at the limit is not run, however whole it looks', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(reply([write('a', 'cut')], { finish: 'length' }), [finish()]);
    finished(await rig.execute(models));
    expect(models.heard(2)).toContain('cut off');
    await expect(readFile(join(rig.workspace, 'a'))).rejects.toThrow();
  });

  test('a text without a report is reminded of once', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([text('I am done.')]);
    expect(failureIn(await rig.execute(models)).type).toBe('format-invalid');
    expect(models.requests).toHaveLength(2);
    expect(models.heard(2)).toContain('finish');
  });

  test('a refusal is a matter of safety', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(reply([text('I will not.')], { finish: 'refusal' }));
    expect(failureIn(await rig.execute(models))).toMatchObject({ type: 'safety', category: 'never-retry' });
  });
});

describe('repetition', () => {
  test('hints at the second equal batch and ends the attempt at the third, without running it', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('a')]);
    const outcome = await rig.execute(models);
    expect(failureIn(outcome).type).toBe('tool-failed');
    expect(outcome.used.toolCalls).toBe(2);
    expect(models.heard(2)).not.toContain('exactly these calls');
    expect(models.heard(3)).toContain('exactly these calls');
  });

  test('advises another way from the third error of a kind on', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels([read('docs/a')], [read('docs/b')], [read('docs/c')], [finish()]);
    await rig.execute(models);
    expect(models.heard(3)).not.toContain('try a different approach');
    expect(models.heard(4)).toContain('try a different approach');
  });

  test('brings open todos back after tool results', async () => {
    const rig = await makeAgentRig();
    const items = [
      { text: 'write the intro', done: true },
      { text: 'check the links', done: false },
    ];
    const models = new ScriptedModels([call('todo', { items })], [read('a')], [finish()]);
    await rig.execute(models);
    expect(models.heard(2)).not.toContain('check the links');
    expect(models.heard(3)).toContain('check the links');
    expect(models.heard(3)).not.toContain('write the intro');
  });
});

describe('bounds', () => {
  test('ends after its model calls', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(({ asker }) => [read(`a${asker.turn}`)]);
    expect(failureIn(await rig.execute(models, { iterations: 4 }))).toMatchObject({ type: 'timeout' });
    expect(models.requests).toHaveLength(4);
  });

  test('ends at its time limit, in the middle of a model call that does not listen', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(() => new Promise<never>(() => undefined));
    const failure = failureIn(await rig.execute(models, { input: { timeout: 100 } }));
    expect(failure).toMatchObject({ type: 'timeout', summary: 'It did not finish within 0.1 s.' });
  });

  test('never sends more than the context of the model takes, and fails where nothing may be folded', async () => {
    const rig = await makeAgentRig();
    await writeFile(join(rig.workspace, 'big'), 'some words '.repeat(700));
    const models = new ScriptedModels(({ asker }) => [read('big'), call('note', { text: `${asker.turn}` })]);
    const given = { model: { context: 6_000 }, context: { mode: 'off' as const } };
    expect(failureIn(await rig.execute(models, given)).type).toBe('context-overflow');
    expect(models.requests.length).toBeGreaterThan(1);
    expect(models.requests.length).toBeLessThan(6);
  });

  test('keeps what is too long for the model by reference', async () => {
    const rig = await makeAgentRig();
    await writeFile(join(rig.workspace, 'big'), 'x'.repeat(50_000));
    const models = new ScriptedModels([read('big')], [finish()]);
    const outcome = finished(await rig.execute(models));
    expect(models.heard(2).length).toBeLessThan(9_000);
    const [, sha256 = ''] =
      /The whole result has 50000 bytes: ([0-9a-f]+)/.exec(await rig.read(outcome.transcript)) ?? [];
    expect(await rig.read({ sha256, bytes: 50_000 })).toBe('x'.repeat(50_000));
  });
});

describe('a grant', () => {
  test.each([
    [{ modelCalls: 2 }, { modelCalls: 2 }],
    [{ tokens: 200 }, { modelCalls: 2 }],
    [{ costUsd: 1.5 * callUsd }, { modelCalls: 2 }],
    [{ toolCalls: 3 }, { toolCalls: 3 }],
    [{ mutations: 1 }, { mutations: 1 }],
  ])('of %j stops the attempt where it stands; another one lets it go on to the end', async (grant, used) => {
    const rig = await makeAgentRig();
    const batch = (n: number): ReplyPart[] => [write(`a${n}`, 'a'), read(`a${n}`)];
    const models = new ScriptedModels(batch(1), batch(2), batch(3), [finish()]);
    const first = suspendedIn(await rig.execute(models, { agent: { grant } }));
    expect(first).toMatchObject({ why: 'budget', waitMs: null, used });
    const second = finished(await rig.execute(models));
    expect(second.used).toEqual({ costUsd: 4 * callUsd, tokens: 440, modelCalls: 4, toolCalls: 6, mutations: 3 });
    expect(models.requests).toHaveLength(4);
  });
});

describe('a question to a person', () => {
  const script = (): ScriptedModels =>
    new ScriptedModels(
      [read('a'), call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] })],
      [finish()],
    );

  test('suspends the attempt; the answer is the result of the call', async () => {
    const rig = await makeAgentRig();
    const models = script();
    const first = suspendedIn(await rig.execute(models));
    expect(first).toMatchObject({
      why: 'question',
      asks: { kind: 'question', call: '1.2', question: 'Which colour?', options: ['red', 'blue'] },
    });
    const resume = { kind: 'answered', call: '1.2', text: 'blue' } as const;
    const second = finished(await rig.execute(models, { agent: { resume } }));
    expect(models.heard(2)).toContain('The person answered: blue');
    expect(second.used).toMatchObject({ modelCalls: 2, toolCalls: 1 });
  });

  test('asks again when it is woken without an answer, and keeps an answer through a later stop', async () => {
    const rig = await makeAgentRig();
    const models = script();
    await rig.execute(models);
    expect(suspendedIn(await rig.execute(models)).why).toBe('question');
    const resume = { kind: 'declined', call: '1.2', text: 'no idea' } as const;
    const stopped = suspendedIn(await rig.execute(models, { agent: { resume, grant: { modelCalls: 0 } } }));
    expect(stopped.why).toBe('budget');
    finished(await rig.execute(models));
    expect(models.heard(2)).toContain('declined to answer: no idea');
  });
});

describe('trouble with a model', () => {
  test('that passes is thrown for the retry policy before anything was answered', async () => {
    const rig = await makeAgentRig();
    const models = new ScriptedModels(trouble('rate-limited', { retryAfter: 7_000 }));
    const error: unknown = await rig.execute(models).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      type: 'transient',
      details: [{ failure: { type: 'rate-limited' }, used: { modelCalls: 0 } }],
    });
    const delay = Reflect.get(error as object, 'nextRetryDelay') as number;
    expect(delay).toBeGreaterThanOrEqual(7_000);
    expect(delay).toBeLessThanOrEqual(8_000);
  });

  test('suspends the attempt once there was an answer', async () => {
    const rig = await makeAgentRig();
    let isDown = true;
    const models = new ScriptedModels([read('a')], () => (isDown ? trouble('overloaded') : [finish()]));
    const outcome = suspendedIn(await rig.execute(models));
    expect(outcome.why).toBe('wait');
    expect(outcome.waitMs).toBeGreaterThanOrEqual(500);
    expect(outcome.waitMs).toBeLessThanOrEqual(1_500);
    isDown = false;
    expect(finished(await rig.execute(models)).used.modelCalls).toBe(2);
  });

  test('stays charged where the provider may have worked', async () => {
    const rig = await makeAgentRig();
    let isCut = true;
    const models = new ScriptedModels([read('a')], () =>
      isCut ? trouble('overloaded', { mayCost: true }) : [finish()],
    );
    await rig.execute(models);
    isCut = false;
    expect(finished(await rig.execute(models)).used.modelCalls).toBe(3);
  });

  test.each(['auth', 'subscription', 'context-overflow', 'environment', 'safety'] as const)(
    'of type %s is the failure of the attempt',
    async (type) => {
      const rig = await makeAgentRig();
      expect(failureIn(await rig.execute(new ScriptedModels(trouble(type)))).type).toBe(type);
    },
  );
});

describe('secrets', () => {
  test('reach neither the model nor anything that is kept', async () => {
    const rig = await makeAgentRig({ env: { TOKEN: 'hunter2-hunter2' } });
    const key = `sk-ant-${'a1B2'.repeat(8)}`;
    await writeFile(join(rig.workspace, 'secret'), `token=hunter2-hunter2 key=${key}`);
    const models = new ScriptedModels([read('secret')], [finish({ notes: `it is hunter2-hunter2 and ${key}` })]);
    const outcome = finished(await rig.execute(models, { variables: ['TOKEN'] }));
    const kept = [
      JSON.stringify(models.requests.at(-1)?.messages),
      await rig.read(outcome.output),
      await rig.read(outcome.transcript),
      JSON.stringify(outcome),
    ].join('\n');
    expect(kept).not.toContain('hunter2');
    expect(kept).not.toContain(key);
    expect(models.heard(2)).toBe('token=[TOKEN] key=[api-key]');
  });
});

test('names calls that were refused', async () => {
  const rig = await makeAgentRig();
  const outcome = await rig.execute(new ScriptedModels([read('/etc/passwd')], [finish()]));
  expect(outcome.refusals).toEqual([{ tool: 'read_file', why: '/etc/passwd is outside' }]);
});
