// An effect that is cut before any one of its calls to the file system, as by a kill: never half done, and known afterwards.
import fs, { type FileHandle } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { planEffect, performEffect, settleEffect } from '../../../../activities/tools/run-tool.ts';
import { mutatingTool } from './mutating-tool.ts';
import { makeRig, type ToolRig } from './support.ts';

const steps = ['open', 'rename', 'unlink', 'rmdir', 'mkdir', 'lstat', 'readdir', 'readlink', 'access'] as const;
const handleSteps = ['writeFile', 'chmod', 'chown', 'datasync', 'sync', 'read', 'stat'] as const;

/** Lets `count` calls pass; the next one never returns, and a write leaves half of its text. Tells whether it came to that. */
async function cutAfter(count: number): Promise<{ happened: Promise<true>; repair: () => void }> {
  let left = count;
  let cut: (yes: true) => void = () => undefined;
  const happened = new Promise<true>((resolve) => {
    cut = resolve;
  });
  const probe = await fs.open('/dev/null');
  const prototype = Object.getPrototypeOf(probe) as object;
  await probe.close();
  const repairs: (() => void)[] = [];
  const opened: Promise<FileHandle>[] = [];
  const wrap = (owner: object, name: string): void => {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== 'function') throw new Error(name);
    repairs.push(() => void Reflect.set(owner, name, original));
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
      left -= 1;
      if (left >= 0) {
        const result = Reflect.apply(original, this, args) as unknown;
        if (name === 'open') opened.push(result as Promise<FileHandle>);
        return result;
      }
      const [text] = args;
      const half = name === 'writeFile' && typeof text === 'string' ? text.slice(0, text.length / 2) : undefined;
      if (half === undefined) cut(true);
      else void (Reflect.apply(original, this, [half]) as Promise<void>).then(() => cut(true));
      return new Promise(() => undefined);
    });
  };
  const repair = (): void => {
    for (const one of repairs.splice(0)) one();
    // As the end of the process would.
    for (const file of opened.splice(0)) file.then((one) => one.close()).catch(() => undefined);
    syncBuiltinESMExports();
  };
  onTestFinished(repair);
  for (const name of steps) wrap(fs, name);
  for (const name of handleSteps) wrap(prototype, name);
  syncBuiltinESMExports();
  return { happened, repair };
}

const look = (rig: ToolRig): string[] =>
  readdirSync(rig.workspace, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}: ${readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8')}`)
    .sort();

test.each<[string, object]>([
  ['write_file', { path: 'new/deep/a.txt', content: 'all of it' }],
  ['write_file', { path: 'a.txt', content: 'all of it' }],
  ['edit_file', { path: 'a.txt', old: 'one', new: 'three' }],
  ['delete_path', { path: 'a.txt' }],
  ['delete_path', { path: 'f' }],
  ['move_path', { from: 'a.txt', to: 'm/b.txt' }],
  ['move_path', { from: 'f', to: 'g' }],
])('%s, cut anywhere: %o', async (name, args) => {
  const tool = mutatingTool(name);
  const seen = new Set<string>();
  let cuts = 0;
  for (let more = true; more;) {
    const rig = await makeRig();
    rig.write({ 'a.txt': 'one two', 'f/x.txt': 'x', 'f/y/z.txt': 'z' });
    const effect = await planEffect(tool, args, rig.place);
    if ('ok' in effect) throw new Error(effect.text);
    const before = look(rig);
    const { happened, repair } = await cutAfter(cuts);
    more = await Promise.race([happened, performEffect(tool, args, effect, rig.place).then(() => false)]);
    repair();
    const settled = await settleEffect(tool, effect, rig.place);
    seen.add(settled);
    if (settled === 'not-done') {
      expect(look(rig), `cut ${cuts}`).toEqual(before);
      expect(await performEffect(tool, args, effect, rig.place)).toMatchObject({ outcome: { ok: true } });
    }
    expect(await settleEffect(tool, effect, rig.place), `cut ${cuts}`).toBe('done');
    expect(look(rig).filter((line) => line.includes('.heddle-undo~'))).toEqual([]);
    cuts += 1;
  }
  expect([...seen].sort()).toEqual(['done', 'not-done']);
  expect(cuts).toBeGreaterThan(5);
});
