// Instructions of a person while an agent works, and a pause: heard before the next model call, once, whenever the process dies.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { ModelRequest } from '../../../activities/llm/ports/model.ts';
import type { TaskNews } from '../../../domain/types/agent.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { call, finish, ScriptedModels } from './support.ts';
import { Cutter, lead } from './support-cuts.ts';

const write = (path: string, content: string) => call('write_file', { path, content });
const script = (): ScriptedModels =>
  new ScriptedModels([write('a', 'one')], [call('read_file', { path: 'a' })], [write('a', 'two')], [finish()]);

const instructions = ['write in British English', 'and be brief'];

/** A task in which people spoke before these requests: the n-th look knows of so many texts. */
function steeredAt(...looks: number[]) {
  let nth = 0;
  return (since: number): TaskNews => {
    nth += 1;
    const sent = looks.filter((look) => look <= nth).length;
    const steering = instructions.slice(0, sent).map((text, index) => ({ id: index + 1, text }));
    return { paused: false, steering: steering.filter(({ id }) => id > since) };
  };
}

const textsOf = ({ messages }: ModelRequest): string[] =>
  messages.flatMap((message) => (message.from === 'user' ? [message.text] : []));

const timesIn = (request: ModelRequest | undefined, text: string): number =>
  request === undefined ? -1 : textsOf(request).join('\n').split(text).length - 1;

describe('steering', () => {
  test('is in the request that follows it, and stays in its place', async () => {
    const models = script();
    const folder = await temporaryFolder();
    const { end } = await lead({ folder, models, performed: [], news: steeredAt(3, 4) });
    expect(end).toMatchObject({ kind: 'reported' });
    expect(models.requests.map((request) => instructions.map((text) => timesIn(request, text)))).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    // Behind the result of the call before it.
    expect(models.requests[2]?.messages.slice(-2)).toMatchObject([
      { from: 'tools', results: [{ tool: 'read_file' }] },
      { from: 'user', text: expect.stringContaining('a new instruction') as string },
    ]);
    expect(models.requests[3]?.messages.slice(0, 6)).toEqual(models.requests[2]?.messages);
  });

  test('is heard once in one conversation, whenever the process dies', async () => {
    const whole = new Cutter();
    await lead({ folder: await temporaryFolder(), models: script(), performed: [], cutter: whole, news: steeredAt(1) });
    for (let moment = 1; moment <= whole.moments; moment += 3) {
      const folder = await temporaryFolder();
      const models = script();
      await lead({ folder, models, performed: [], cutter: new Cutter(moment), news: steeredAt(1) });
      const second = await lead({ folder, models, performed: [], run: 'r2', news: steeredAt(1) });
      expect(second.end, `moment ${moment}`).toMatchObject({ kind: 'reported' });
      for (const request of models.requests)
        expect(timesIn(request, instructions[0] ?? ''), `moment ${moment}`).toBe(1);
    }
  }, 30_000);
});

describe('a pause', () => {
  test('ends the execution before the next request, and keeps what was read meanwhile', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'in.txt'), 'as it was');
    const models = new ScriptedModels([call('read_file', { path: 'in.txt' })], [finish()]);
    let looks = 0;
    const news = (): TaskNews => ({ paused: (looks += 1) > 1, steering: [] });
    const first = await lead({ folder, models, performed: [], news });
    expect(first.end).toEqual({ kind: 'paused' });
    expect(models.requests).toHaveLength(1);
    // It is in the log: the model is told what was there when it asked.
    await writeFile(join(folder, 'in.txt'), 'changed in the pause');
    const second = await lead({ folder, models, performed: [], run: 'r2' });
    expect(second.end).toMatchObject({ kind: 'reported' });
    expect(models.requests).toHaveLength(2);
    expect(models.heard(2)).toContain('as it was');
    expect(second.used).toMatchObject({ modelCalls: 2, toolCalls: 1 });
  });

  test('that lasts lets nobody ask, however often it is executed', async () => {
    const folder = await temporaryFolder();
    const models = script();
    for (const run of ['r1', 'r2', 'r3']) {
      const { end, used } = await lead({
        folder,
        models,
        performed: [],
        run,
        news: () => ({ paused: true, steering: [] }),
      });
      expect(end).toEqual({ kind: 'paused' });
      expect(used.modelCalls).toBe(0);
    }
    expect(models.requests).toEqual([]);
    expect(await readFile(join(folder, 'log.jsonl'), 'utf8')).not.toContain('"k":"call"');
  });
});
