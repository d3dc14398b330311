// Two agents who work together: one leaves a repository that the other finds when its own command begins, and arms again once it is clean.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { calls, finishes } from '../../support/scripted-models.ts';
import { until } from '../../support/cli.ts';
import { makeTrap, modes, needsSandbox, playAgents } from './support-walls.ts';

const rig = useRig();

const arm = 'git config core.fsmonitor "$evil"; cp "$evil" .git/hooks/pre-commit';
const waitFor = (condition: string): string =>
  `for i in $(seq 600); do if ${condition}; then break; fi; sleep 0.05; done`;

const untilClean = waitFor('! grep -q fsmonitor .git/config && ! [ -e .git/hooks/pre-commit ]');

/** Makes an armed repository, arms it once more when a short command of the other agent has ended, and lasts into its next one. */
const first = `mkdir inner && cd inner && git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a
${arm}
touch ../armed
${untilClean}
${arm}
touch ../armed-again
${waitFor('[ -e ../begun ]')}`;

/** Begins while that repository is armed, and arms it again in the same words when its settings have been taken out. */
const second = `touch begun
cd inner
${untilClean}
${arm}`;

test.for(modes)('mode %s: what one agent arms while another one runs is taken out', async (mode, context) => {
  await needsSandbox(mode, context);
  const { trace, script } = makeTrap();
  const workspace = rig.workspace();
  const evil = join(workspace, 'evil');
  writeFileSync(evil, script, { mode: 0o755 });
  for (const [name, text] of Object.entries({ first, second }))
    writeFileSync(join(workspace, `${name}.sh`), `evil=${evil}\n${text}\n`);
  const state = await playAgents(rig, {
    workspace,
    mode,
    replies: {
      first: (turn) => (turn === 1 ? calls(['shell', { command: 'bash first.sh' }]) : finishes()),
      second: async (turn) => {
        if (turn > 2) return finishes();
        const sign = turn === 1 ? 'armed' : 'armed-again';
        await until(`the first agent has made ${sign}`, () => existsSync(join(workspace, sign)));
        return calls(['shell', { command: turn === 1 ? 'touch looked' : 'bash second.sh' }]);
      },
    },
  });
  expect(state).toBe('completed');
  if (mode === 'off') rmSync(trace, { force: true });
  const inner = join(workspace, 'inner');
  expect(readFileSync(join(inner, '.git', 'config'), 'utf8')).not.toContain('fsmonitor');
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  for (const args of [['status'], ['-c', 'user.name=u', '-c', 'user.email=u@b', 'commit', '-qm', 'b', '--allow-empty']])
    spawnSync('git', args, { cwd: inner, env });
  expect(existsSync(trace)).toBe(false);
  expect(execFileSync('git', ['log', '--format=%s'], { cwd: inner, encoding: 'utf8' })).toBe('b\na\n');
});
