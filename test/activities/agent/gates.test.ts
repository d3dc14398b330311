// A call that a gate asks about, in a process that dies at every single moment: nothing runs before the answer, and once after it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../execute/program/support.ts';
import { call, finish, ScriptedModels } from './support.ts';
import { approved, Cutter, lead } from './support-cuts.ts';
import { localTools, sending, sendTool } from './support-tools.ts';

/** Kinds of the whole lines of the log: a line that was cut off never counted. */
async function kindsIn(folder: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, 'log.jsonl'), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { k: string }).k);
}

describe('a gated call', () => {
  const sends = (): ScriptedModels => new ScriptedModels([call('move_path', { path: 'a' })], [finish()]);

  test('runs once after the approval, whenever the process dies, and is not asked about again before it has begun', async () => {
    for (let moment = 1, isOver = false; !isOver; moment += 1) {
      const folder = await temporaryFolder();
      const sent: string[] = [];
      const models = sends();
      const tools = [...localTools, sendTool(sent)];
      const resume = await approved({ folder, models, tools });
      expect(sent).toEqual([]);
      const first = await lead({ folder, models, tools, performed: [], resume, cutter: new Cutter(moment) });
      isOver = first.end !== 'cut';
      const kinds = await kindsIn(folder);
      const { end } = await lead({ folder, models, tools, performed: [], run: 'r2', resume });
      // A claim alone: a person settles what a person allowed.
      const asks = kinds.includes('claim') && !kinds.includes('result');
      expect(end, `moment ${moment}`).toMatchObject(
        asks ? { kind: 'asks', asks: { kind: 'unknown-effect' } } : { kind: 'reported' },
      );
      expect(sent.length, `moment ${moment}`).toBeLessThanOrEqual(1);
      if (!asks) expect(sent, `moment ${moment}`).toEqual(['a']);
    }
  }, 30_000);

  test('runs with what a person made of it, also when the process dies, and the model is told', async () => {
    for (let moment = 1, isOver = false; !isOver; moment += 1) {
      const folder = await temporaryFolder();
      const sent: string[] = [];
      const models = sends();
      const tools = [...localTools, sendTool(sent)];
      const { call: place, hash } = await approved({ folder, models, tools });
      const resume = { kind: 'decided', call: place, hash, option: 'edit', value: { path: 'b' }, by: 'ana' } as const;
      const first = await lead({ folder, models, tools, performed: [], resume, cutter: new Cutter(moment) });
      isOver = first.end !== 'cut';
      let { end } = await lead({ folder, models, tools, performed: [], run: 'r2', resume });
      if (end !== 'cut' && end.kind === 'asks') {
        const outcome = sent.length > 0 ? 'happened' : 'did-not-happen';
        const settled = { kind: 'settled', call: '1.1', outcome } as const;
        ({ end } = await lead({ folder, models, tools, performed: [], run: 'r3', resume: settled }));
      }
      expect(end, `moment ${moment}`).toMatchObject({ kind: 'reported' });
      expect(sent, `moment ${moment}`).toEqual(['b']);
      expect(models.heard(2), `moment ${moment}`).toContain(
        'A person changed the arguments of this call to {"path":"b"}',
      );
    }
  }, 30_000);

  test('that was rejected goes back to the model once, with the reason', async () => {
    const folder = await temporaryFolder();
    const sent: string[] = [];
    const models = sends();
    const tools = [...localTools, sendTool(sent)];
    const { call: place, hash } = await approved({ folder, models, tools });
    const resume = { kind: 'decided', call: place, hash, option: 'reject', reason: 'not that file' } as const;
    expect((await lead({ folder, models, tools, performed: [], run: 'r1', resume })).end).toMatchObject({
      kind: 'reported',
    });
    expect(models.heard(2)).toContain('A person rejected this call: not that file');
    expect(sent).toEqual([]);
  });

  test('that is allowed for good is not asked about, and the log says why it ran; killed, it is told to the model', async () => {
    const ends = new Set<string>();
    for (let moment = 1, isOver = false; !isOver; moment += 1) {
      const folder = await temporaryFolder();
      const sent: string[] = [];
      const models = sends();
      const given = {
        folder,
        models,
        tools: [...localTools, sendTool(sent)],
        performed: [],
        allowed: [sending.signature],
      };
      const first = await lead({ ...given, cutter: new Cutter(moment) });
      isOver = first.end !== 'cut';
      const { end } = await lead({ ...given, run: 'r2' });
      expect(end, `moment ${moment}`).toMatchObject({ kind: 'reported' });
      expect(sent.length, `moment ${moment}`).toBeLessThanOrEqual(1);
      const log = await readFile(join(folder, 'log.jsonl'), 'utf8');
      expect(log).toContain('"by":"rule","signature":"gate:outside:send"');
      ends.add(models.heard(2).includes('It is not known whether it took effect') ? 'told' : `sent ${sent.length}`);
    }
    expect([...ends].sort()).toEqual(['sent 1', 'told']);
  }, 30_000);

  test('is asked about anew when it would be another action by then', async () => {
    const folder = await temporaryFolder();
    const sent: string[] = [];
    const tools = [...localTools, sendTool(sent)];
    const models = sends();
    const { hash } = await approved({ folder, models, tools });
    const moved = sendTool(sent);
    const elsewhere = [
      ...localTools,
      {
        ...moved,
        plan: () => Promise.resolve({ action: 'send a', files: [{ path: 'c', before: null, after: null }] }),
      },
    ];
    const resume = { kind: 'decided', call: '1.1', hash, option: 'approve' } as const;
    const { end } = await lead({ folder, models, tools: elsewhere, performed: [], run: 'r1', resume });
    expect(end).toMatchObject({ kind: 'asks', asks: { kind: 'gate', call: '1.1' } });
    expect(end !== 'cut' && end.kind === 'asks' && end.asks.kind === 'gate' && end.asks.hash !== hash).toBe(true);
    expect(sent).toEqual([]);
  });
});
