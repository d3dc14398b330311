import { renameSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { argv } from 'node:process';
import type { CallEffect } from '../../../../activities/tools/common/tool.ts';
import { planEffect, performEffect } from '../../../../activities/tools/run-tool.ts';
import { mutatingTool } from './mutating-tool.ts';
import { placeAt } from '../../../support/tool-place.ts';

/** Calls that undo each other, so that they go on for ever: every kind of effect, small and large. */
const calls: [string, object][] = [
  ['write_file', { path: 'a.txt', content: `one\n${'x'.repeat(200_000)}` }],
  ['edit_file', { path: 'a.txt', old: 'one', new: 'two' }],
  ['move_path', { from: 'a.txt', to: 'n/b.txt' }],
  ['write_file', { path: 'f/x/y/z.txt', content: 'z' }],
  ['write_file', { path: 'f/x/w.txt', content: 'w' }],
  ['move_path', { from: 'f', to: 'g' }],
  ['delete_path', { path: 'g' }],
  ['delete_path', { path: 'n/b.txt' }],
];

export interface Claim {
  tool: string;
  args: object;
  effect: CallEffect;
}

/** A worker that writes ahead what it does, and does it, until it is killed. */
async function work(workspace: string, claims: string): Promise<void> {
  const place = placeAt(workspace);
  // A process that is killed leaves no compile cache for the next.
  flushCompileCache();
  process.stdout.write('ready');
  while (true) {
    for (const [name, args] of calls) {
      const tool = mutatingTool(name);
      const effect = await planEffect(tool, args, place);
      if ('ok' in effect) throw new Error(`${name}: ${effect.text}`);
      writeFileSync(`${claims}.new`, JSON.stringify({ tool: name, args, effect } satisfies Claim));
      renameSync(`${claims}.new`, claims);
      const performed = await performEffect(tool, args, effect, place);
      if (performed.kind !== 'ended' || !performed.outcome.ok) throw new Error(JSON.stringify(performed));
    }
  }
}

const [, , workspace = '', claims = ''] = argv;
await work(workspace, claims);
