// The rulings of gates about tools on files: by where a path leads, as it was planned, and what is judged is what is done.
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { assessEffect, performEffect, planEffect } from '../../../../activities/tools/run-tool.ts';
import type { CallEffect } from '../../../../activities/tools/common/tool.ts';
import type { GateRules, GateRuling } from '../../../../domain/types/basic/gate.ts';
import { mutatingTool } from './mutating-tool.ts';
import { makeRig, type ToolRig } from './support.ts';

let rig: ToolRig;
beforeEach(async () => {
  rig = await makeRig();
  rig.write({ 'a.txt': 'a', 'src/b.txt': 'b', '.env': 'A=1', 'config/.ssh/known': 'k', 'heddle.toml': '' });
  symlinkSync('.env', rig.at('innocent.txt'));
  symlinkSync('config/.ssh', rig.at('keys'));
});

async function planned(name: string, args: object): Promise<CallEffect> {
  const effect = await planEffect(mutatingTool(name), args, rig.place);
  if ('ok' in effect) throw new Error(effect.text);
  return effect;
}

async function verdictOn(name: string, args: object, rules: Partial<GateRules> = {}): Promise<GateRuling> {
  const effect = await planned(name, args);
  const gates = { ...rig.place.gates, rules: { ...rig.place.gates.rules, ...rules } };
  const verdict = await assessEffect(mutatingTool(name), { args, effect }, { ...rig.place, gates });
  if ('ok' in verdict) throw new Error(verdict.text);
  return verdict;
}

describe('a call', () => {
  test.each<[string, object, string]>([
    ['write_file', { path: '.env', content: 'B=2' }, 'secret'],
    ['write_file', { path: 'innocent.txt', content: 'B=2' }, 'secret'],
    ['write_file', { path: 'keys/id_rsa', content: 'k' }, 'secret'],
    ['write_file', { path: 'x/server.pem', content: 'k' }, 'secret'],
    ['edit_file', { path: '.env', old: 'A', new: 'B' }, 'secret'],
    ['delete_path', { path: '.env' }, 'secret'],
    ['move_path', { from: '.env', to: 'env.txt' }, 'secret'],
    ['move_path', { from: 'a.txt', to: '.env.local' }, 'secret'],
    ['write_file', { path: 'heddle.toml', content: 'x' }, 'config'],
    ['write_file', { path: 'sub/HEDDLE.toml', content: 'x' }, 'config'],
    ['move_path', { from: 'a.txt', to: 'sub/heddle.toml' }, 'config'],
    ['delete_path', { path: 'src' }, 'delete'],
  ])('%s %j is asked about', async (name, args, danger) => {
    expect(await verdictOn(name, args)).toMatchObject({ kind: 'ask', danger, signature: null });
  });

  test.each<[string, object]>([
    ['write_file', { path: 'src/new.txt', content: 'x' }],
    ['write_file', { path: '.env.example', content: 'A=' }],
    ['edit_file', { path: 'a.txt', old: 'a', new: 'b' }],
    ['delete_path', { path: 'a.txt' }],
    // The link itself, not what it points to.
    ['delete_path', { path: 'innocent.txt' }],
    ['move_path', { from: 'src', to: 'lib' }],
  ])('%s %j is not', async (name, args) => {
    expect(await verdictOn(name, args)).toEqual({ kind: 'allow' });
  });

  test('is denied, or asked about, by a rule for the place that it changes; no rule allows a secret', async () => {
    const write = { path: 'src/b.txt', content: 'x' };
    expect(await verdictOn('write_file', write, { deny: ['write:src/**'] })).toMatchObject({ kind: 'deny' });
    expect(await verdictOn('write_file', write, { ask: ['write:src/**'] })).toMatchObject({
      kind: 'ask',
      danger: 'rule',
    });
    const secret = { path: '.env', content: 'x' };
    expect(await verdictOn('write_file', secret, { allow: ['write:**'] })).toMatchObject({ kind: 'ask' });
  });
});

test.each<[string, object]>([
  ['write_file', { path: 'src/id_rsa', content: 'k' }],
  ['move_path', { from: 'a.txt', to: 'src/c.txt' }],
])('%s is not done where the path leads elsewhere by then', async (name, args) => {
  const effect = await planned(name, args);
  renameSync(rig.at('src'), rig.at('old'));
  symlinkSync('config/.ssh', rig.at('src'));
  mkdirSync(rig.at('src/sub'));
  const performed = await performEffect(mutatingTool(name), args, effect, rig.place);
  expect(performed).toMatchObject({ kind: 'ended', outcome: { ok: false } });
  expect(['id_rsa', 'c.txt'].filter((file) => existsSync(rig.at(`config/.ssh/${file}`)))).toEqual([]);
  expect(existsSync(rig.at('a.txt'))).toBe(true);
});
