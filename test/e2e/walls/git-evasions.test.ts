// Ways around the search for what git would run later: much of it, closed folders, other folders in the place of known ones.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { makeTrap, modes, needsSandbox, play } from './support-walls.ts';

const rig = useRig();

/** The user's own, with nothing of this machine's settings. */
function sh(cwd: string, script: string): string {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' }).stdout;
}

const commit = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a';
const make = `git init -q && echo x > file && git add file && ${commit}`;
const arm = 'git config core.fsmonitor "$evil"; cp "$evil" .git/hooks/pre-commit';

/** `own`: what the user has in the folder `inner` before. `command` leaves something there for the git of the user. */
const attacks: Record<string, { own?: string; command: string }> = {
  'more hooks than are looked at': {
    command: `mkdir inner && cd inner && ${make}; for i in $(seq 300); do : > .git/hooks/a$i; done; cp "$evil" .git/hooks/pre-commit`,
  },
  'a folder that is closed to its owner': {
    command: `mkdir inner && (cd inner && ${make} && ${arm}); chmod 311 inner`,
  },
  'a repository that is closed to its owner': {
    command: `mkdir inner && cd inner && ${make} && ${arm}; chmod 311 .git .git/hooks`,
  },
  'a copy in the place of a repository of the user': {
    own: `${make}; git config alias.mine '!echo mine'`,
    command: `mv inner moved && mkdir inner && cp -r moved/.git inner/ && cd inner && ${arm}`,
  },
  'hooks and settings that a repository of the user did not have': {
    own: `git init -q --template= && git config extensions.worktreeConfig true && ${commit}`,
    command: `cd inner; mkdir .git/hooks; cp "$evil" .git/hooks/pre-commit; printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > .git/config.worktree; true`,
  },
  'a repository of the user whose name is no UTF-8': {
    own: `mkdir $'odd\\xff' && cd $'odd\\xff' && ${make}`,
    command: `cd inner/odd*; ${arm}; true`,
  },
};

/** Commands that a user may type there. */
const later = `git status; touch mine; git add -A; ${commit}; cd odd* && { git status; ${commit}; }`;

describe.for(modes)('mode %s', (mode) => {
  test.for(Object.entries(attacks))('%s: nothing of it runs for the user', async ([, { own, command }], context) => {
    await needsSandbox(mode, context);
    const { trace, script } = makeTrap();
    const workspace = rig.workspace();
    const [inner, evil] = [join(workspace, 'inner'), join(workspace, 'evil')];
    if (own !== undefined) {
      mkdirSync(inner);
      sh(inner, own);
    }
    writeFileSync(evil, script, { mode: 0o755 });
    // In a file, so that no gate reads it.
    writeFileSync(join(workspace, 'attack.sh'), `evil=${evil}\n${command}\n`);
    const { state } = await play(rig, { workspace, mode, turns: [[['shell', { command: 'bash attack.sh' }]]] });
    // Without a sandbox the command itself may run what it likes, once a person has said yes.
    if (mode === 'off') rmSync(trace, { force: true });
    sh(inner, later);
    sh(workspace, 'chmod -R u+rwx inner');
    expect(state).toBe('completed');
    expect(existsSync(trace) ? readFileSync(trace, 'utf8') : '').toBe('');
    expect(existsSync(join(inner, 'mine'))).toBe(true);
    // A repository that was only moved is the user's own as before, where the command could not change it.
    if (mode === 'auto' && existsSync(join(workspace, 'moved')))
      expect(sh(join(workspace, 'moved'), 'git mine')).toBe('mine\n');
  });
});
