// Commands of an agent on the way from a model's call to its result: in the workspace, away from the home, and gone afterwards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createToolRegistry } from '../../../activities/tools/built-in-tools.ts';
import { bubblewrap } from '../sandbox/support.ts';
import { call, finish, makeAgentRig, ScriptedModels } from './support.ts';

test.skipIf(bubblewrap === undefined)('what a command prints is told; it does not see the home', async () => {
  const rig = await makeAgentRig({ registry: createToolRegistry() });
  const models = new ScriptedModels(
    [call('shell', { command: 'echo made | tee made.txt' })],
    [call('shell', { command: 'ls -A ..' })],
    [call('git', { args: ['status', '--short'] })],
    [finish()],
  );
  expect(await rig.execute(models)).toMatchObject({ kind: 'finished' });
  expect(readFileSync(join(rig.workspace, 'made.txt'), 'utf8')).toBe('made\n');
  expect(models.heard(2)).toBe('Exit 0.\nmade');
  expect(models.heard(3)).toBe('Exit 0.\nworkspace');
  expect(models.heard(4)).toMatch(/^Exit 128\.\nfatal: not a git repository/);
});
