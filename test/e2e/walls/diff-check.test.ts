// The check of a printed diff runs no program of a repository that an agent made.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { makeTrap, modes, needsSandbox, play } from './support-walls.ts';

const rig = useRig();

const diff = ['--- a/a.txt', '+++ b/a.txt', '@@ -1 +1 @@', '-one', '+two', ''].join('\n');

test.for(modes)('mode %s: filters of a repository that the agent made do not run', async (mode, context) => {
  await needsSandbox(mode, context);
  const { trace, script } = makeTrap();
  const workspace = rig.workspace();
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  writeFileSync(join(workspace, 'evil'), script, { mode: 0o755 });
  writeFileSync(join(workspace, 'patch.txt'), diff);
  // A copy of the settings is put back by the plan's own program, so that only the check is looked at.
  const arm = 'git init -q . && git config filter.x.clean "$PWD/evil" && echo "* filter=x" > .gitattributes';
  const { state } = await play(rig, {
    workspace,
    mode,
    turns: [[['shell', { command: `${arm}; cp .git/config settings` }]]],
    more: [
      {
        id: 'diff',
        description: 'print a diff',
        dependsOn: ['agent'],
        diff: true,
        executor: { kind: 'command', run: ['sh', '-c', 'cp settings .git/config; cat patch.txt'] },
      },
    ],
  });
  expect(state).toBe('completed');
  expect(existsSync(trace)).toBe(false);
});
