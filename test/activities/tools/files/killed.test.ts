// A worker that dies anywhere in an effect: what the files show says whether it happened, and going on gives the same end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { performEffect, settleEffect } from '../../../../activities/tools/run-tool.ts';
import { mutatingTool } from './mutating-tool.ts';
import type { Claim } from './support-killed.ts';
import { makeRig } from './support.ts';

const worker = new URL('support-killed.ts', import.meta.url).pathname;

/** Runs the worker for a moment, kills it, and tells what it claimed last. */
async function runKilled(workspace: string, claims: string, moment: number): Promise<Claim> {
  const flags = ['--disable-warning=ExperimentalWarning', worker, workspace, claims];
  const env = { ...process.env, NODE_COMPILE_CACHE: inject('compiled') };
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  while (!existsSync(claims)) await wait(1);
  await wait(moment);
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return JSON.parse(readFileSync(claims, 'utf8')) as Claim;
}

test('every effect is found done or not done, and is done when it is performed then', async () => {
  const seen = { done: 0, 'not-done': 0, unclear: 0, again: 0 };
  for (let round = 0; round < 10; round += 1) {
    const rig = await makeRig();
    const { tool, args, effect } = await runKilled(
      rig.workspace,
      join(rig.outside, 'claim'),
      round * 7 + Math.random() * 7,
    );
    const settled = await settleEffect(mutatingTool(tool), effect, rig.place);
    seen[settled] += 1;
    if (settled === 'not-done') {
      expect(await performEffect(mutatingTool(tool), args, effect, rig.place)).toMatchObject({ outcome: { ok: true } });
    }
    expect(await settleEffect(mutatingTool(tool), effect, rig.place)).toBe('done');
    const left = readdirSync(rig.workspace, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.includes('.heddle-undo~'))).toEqual([]);
  }
  expect(seen.unclear).toBe(0);
});
