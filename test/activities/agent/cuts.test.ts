// A process that dies at every single moment of a conversation, and one that goes on: nothing is done twice, nothing paid is lost.
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { DamagedConversation } from '../../../activities/agent/resume-conversation.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { call, callUsd, finish, ScriptedModels } from './support.ts';
import { approved, Cutter, lead } from './support-cuts.ts';
import { localTools, sendTool } from './support-tools.ts';

const write = (path: string, content: string) => call('write_file', { path, content });

const script = (): ScriptedModels =>
  new ScriptedModels(
    [call('read_file', { path: 'a' }), write('a', 'one')],
    [write('a', 'two'), write('b', 'x'), call('read_file', { path: 'a' })],
    [call('delete_path', { path: 'b' }), call('fly', {})],
    [finish()],
  );

/** The result in the world, and the usage, when nothing goes wrong. */
const undisturbed = { modelCalls: 4, tokens: 440, toolCalls: 6, mutations: 4, costUsd: 4 * callUsd };

const contentOf = (folder: string, name: string): Promise<string | null> =>
  readFile(join(folder, name), 'utf8').catch(() => null);

describe('a process that dies at any moment', () => {
  test('does no effect twice, pays for no answer twice, repeats at most one call, and counts it', async () => {
    const whole = new Cutter();
    const folder = await temporaryFolder();
    const done = await lead({ folder, models: script(), performed: [], cutter: whole });
    expect(done).toMatchObject({ end: { kind: 'reported' }, used: undisturbed });
    expect(whole.moments).toBeGreaterThan(60);
    for (let moment = 1; moment <= whole.moments; moment += 1) {
      const place = await temporaryFolder();
      const models = script();
      const performed: string[] = [];
      const first = await lead({ folder: place, models, performed, cutter: new Cutter(moment) });
      expect(first.end, `moment ${moment}`).toBe('cut');
      const second = await lead({ folder: place, models, performed, run: 'r2' });
      expect(second.end, `moment ${moment}`).toMatchObject({ kind: 'reported', contract: { status: 'success' } });
      expect(performed, `moment ${moment}`).toEqual(['write a', 'write a', 'write b', 'delete b']);
      expect([await contentOf(place, 'a'), await contentOf(place, 'b')]).toEqual(['two', null]);
      // A request may have been written down and never sent: it is charged all the same, and asked once more.
      const extra = second.used.modelCalls - undisturbed.modelCalls;
      expect(extra, `moment ${moment}`).toBeLessThanOrEqual(1);
      expect(models.requests.length - 4, `moment ${moment}`).toBeLessThanOrEqual(extra);
      expect(second.used.tokens >= 110 * models.requests.length, `moment ${moment}`).toBe(true);
      expect(second.used, `moment ${moment}`).toMatchObject({ toolCalls: 6, mutations: 4 });
    }
  }, 60_000);

  test('dies twice in a row without harm', async () => {
    for (let moment = 5; moment <= 60; moment += 7) {
      const place = await temporaryFolder();
      const models = script();
      const performed: string[] = [];
      await lead({ folder: place, models, performed, cutter: new Cutter(moment) });
      await lead({ folder: place, models, performed, cutter: new Cutter(9), run: 'r2' });
      const last = await lead({ folder: place, models, performed, run: 'r3' });
      expect(last.end, `moment ${moment}`).toMatchObject({ kind: 'reported' });
      expect(performed, `moment ${moment}`).toEqual(['write a', 'write a', 'write b', 'delete b']);
      expect(models.requests.length, `moment ${moment}`).toBeLessThanOrEqual(6);
    }
  }, 60_000);

  test('has what it was granted once, however often it is executed', async () => {
    const folder = await temporaryFolder();
    const models = script();
    await lead({ folder, models, performed: [], ceiling: { modelCalls: 3 }, cutter: new Cutter(40) });
    const second = await lead({ folder, models, performed: [], ceiling: { modelCalls: 3 }, run: 'r2' });
    expect(second).toMatchObject({ end: { kind: 'out-of-budget', keys: ['modelCalls'] }, used: { modelCalls: 3 } });
    const third = await lead({ folder, models, performed: [], ceiling: { modelCalls: 6 }, run: 'r3' });
    expect(third.end).toMatchObject({ kind: 'reported' });
  });
});

describe('an effect that nobody can look up', () => {
  const asking = { end: { kind: 'asks', asks: { kind: 'unknown-effect', call: '1.1', action: 'send a' } } };

  /** The moments around the effect of the first turn. */
  async function cutInEffect(): Promise<
    { folder: string; sent: string[]; models: ScriptedModels; happened: boolean }[]
  > {
    const interrupted = [];
    for (let moment = 1; moment < 60; moment += 1) {
      const folder = await temporaryFolder();
      const sent: string[] = [];
      const models = new ScriptedModels([call('move_path', { path: 'a' })], [finish()]);
      const tools = [...localTools, sendTool(sent)];
      const resume = await approved({ folder, models, tools });
      const first = await lead({ folder, models, tools, performed: [], resume, cutter: new Cutter(moment) });
      if (first.end !== 'cut') break;
      const log = await readFile(join(folder, 'log.jsonl'), 'utf8');
      if (log.includes('"k":"claim"') && !log.includes('"k":"result"') && log.endsWith('\n'))
        interrupted.push({ folder, sent, models, happened: sent.length > 0 });
    }
    return interrupted;
  }

  test('is asked about, and done again only when a person says that it did not happen', async () => {
    const cases = await cutInEffect();
    expect(cases.some(({ happened }) => happened)).toBe(true);
    expect(cases.some(({ happened }) => !happened)).toBe(true);
    for (const { folder, sent, models, happened } of cases) {
      const tools = [...localTools, sendTool(sent)];
      expect(await lead({ folder, models, tools, performed: [], run: 'r2' })).toMatchObject(asking);
      const resume = { kind: 'settled', call: '1.1', outcome: happened ? 'happened' : 'did-not-happen' } as const;
      const last = await lead({ folder, models, tools, performed: [], run: 'r3', resume });
      expect(last).toMatchObject({ end: { kind: 'reported' }, used: { mutations: 1, toolCalls: 1 } });
      expect(sent).toEqual(['a']);
    }
  }, 30_000);

  test('is asked about once more when the process dies in what a person allowed', async () => {
    const [one] = (await cutInEffect()).filter(({ happened }) => !happened);
    if (one === undefined) throw new Error('no such moment');
    const { folder, models } = one;
    const resume = { kind: 'settled', call: '1.1', outcome: 'did-not-happen' } as const;
    const outcomes: string[][] = [];
    for (let moment = 1; moment < 16; moment += 1) {
      const copy = await temporaryFolder();
      await cp(folder, copy, { recursive: true });
      const sent: string[] = [];
      const tools = [...localTools, sendTool(sent)];
      const given = { folder: copy, models, tools, performed: [], resume };
      await lead({ ...given, run: 'r2', cutter: new Cutter(moment) });
      const { end } = await lead({ ...given, run: 'r3' });
      expect(sent.length, `moment ${moment}`).toBeLessThanOrEqual(1);
      outcomes.push([...sent, end === 'cut' ? end : end.kind]);
    }
    // Its word is used up by the claim: whether the effect then took place or not, it is asked again.
    expect(outcomes).toContainEqual(['a', 'asks']);
    expect(outcomes).toContainEqual(['asks']);
    expect(outcomes).toContainEqual(['a', 'reported']);
  }, 30_000);
});

describe('the log', () => {
  const started = async (): Promise<{ folder: string; models: ScriptedModels; path: string }> => {
    const folder = await temporaryFolder();
    const models = script();
    await lead({ folder, models, performed: [], ceiling: { modelCalls: 2 } });
    return { folder, models, path: join(folder, 'log.jsonl') };
  };

  test('loses a torn last line and nothing else', async () => {
    const { folder, models, path } = await started();
    await appendFile(path, '{"k":"turn","n":3,"hea');
    const last = await lead({ folder, models, performed: [], run: 'r2' });
    expect(last).toMatchObject({ end: { kind: 'reported' }, used: undisturbed });
    expect(models.requests).toHaveLength(4);
    expect(await readFile(path, 'utf8')).not.toContain('"hea{');
  });

  test.each([
    ['a line that is no JSON', (lines: string[]) => lines.map((line, at) => (at === 3 ? line.slice(0, 20) : line))],
    ['a line of another kind', (lines: string[]) => lines.map((line, at) => (at === 2 ? '{"k":"magic"}' : line))],
    ['no frame', (lines: string[]) => lines.slice(1)],
  ])('that is damaged in the middle (%s) stops the attempt and says so', async (_, damage) => {
    const { folder, models, path } = await started();
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, damage(lines).join('\n'));
    await expect(lead({ folder, models, performed: [], run: 'r2' })).rejects.toThrow(DamagedConversation);
    expect(models.requests).toHaveLength(2);
  });

  test('of an attempt from before a reset is not gone on with', async () => {
    const { folder, models, path } = await started();
    await writeFile(path, (await readFile(path, 'utf8')).replace('"owner":"t0"', '"owner":"before"'));
    const anew = await lead({ folder, models, performed: [], run: 'r2' });
    expect(anew.used.modelCalls).toBe(4);
  });
});

describe('of two that both believe they own the attempt', () => {
  test.each(['before', 'in'] as const)(
    'the one that was taken over %s its effect does no other, and its lines reach nobody',
    async (when) => {
      const folder = await temporaryFolder();
      let owner = 'r1';
      const refuse = (run: string) => (): Promise<void> =>
        owner === run ? Promise.resolve() : Promise.reject(new Error('taken over'));
      const performed: string[] = [];
      const models = script();
      let second: Promise<unknown> | undefined;
      const takeOver = async (): Promise<void> => {
        if (second !== undefined) return;
        owner = 'r2';
        second = lead({ folder, models: script(), performed, run: 'r2', refuseUnlessOurs: refuse('r2') });
        await second;
      };
      const tools = localTools.map((tool) =>
        tool.kind !== 'mutates'
          ? tool
          : {
              ...tool,
              plan: async (args: unknown, place: Parameters<typeof tool.plan>[1]) => {
                const planned = await tool.plan(args, place);
                if (when === 'before') await takeOver();
                return planned;
              },
              perform: async (...given: Parameters<typeof tool.perform>) => {
                const outcome = await tool.perform(...given);
                if (when === 'in') await takeOver();
                return outcome;
              },
            },
      );
      const first = lead({ folder, models, tools, performed, run: 'r1', refuseUnlessOurs: refuse('r1') });
      await expect(first).rejects.toThrow('taken over');
      expect(await second).toMatchObject({ end: { kind: 'reported' } });
      expect(models.requests).toHaveLength(1);
      // The first write was done by the first owner and found by the second, or never begun by it.
      expect(performed.sort()).toEqual(['delete b', 'write a', 'write a', 'write b']);
      expect([await contentOf(folder, 'a'), await contentOf(folder, 'b')]).toEqual(['two', null]);
      const log = await readFile(join(folder, 'log.jsonl'), 'utf8');
      expect(log.split('\n').filter((line) => line.includes('"k":"turn"'))).toHaveLength(4);
    },
  );
});
