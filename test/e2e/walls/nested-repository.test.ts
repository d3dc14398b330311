// A command that swaps a file for a repository while snapshots are taken gets no program of that repository run outside.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useRig } from '../../support/rig.ts';
import { makeTrap, modes, needsSandbox, play } from './support-walls.ts';

const rig = useRig();

/** Names that are now a file and now a repository whose settings name a program. Several, so that one is met in the right moment. */
const names = Array.from({ length: 20 }, (_, index) => `swapped-${index}`);

function fill(workspace: string, evil: string): void {
  const git = (...args: string[]): unknown =>
    execFileSync('git', args, { cwd: join(workspace, 'repositories', 'first') });
  mkdirSync(join(workspace, 'repositories', 'first'), { recursive: true });
  git('init', '-q');
  writeFileSync(join(workspace, 'repositories', 'first', 'file'), 'x');
  git('add', 'file');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
  git('config', 'core.fsmonitor', evil);
  for (const name of names)
    cpSync(join(workspace, 'repositories', 'first'), join(workspace, 'repositories', name), { recursive: true });
  rmSync(join(workspace, 'repositories', 'first'), { recursive: true });
}

const swap = [
  'mkdir files; end=$((SECONDS + 20))',
  'while [ $SECONDS -lt $end ] && [ ! -e stop ]; do',
  `  echo $SECONDS$RANDOM | tee ${names.join(' ')} > ready`,
  `  mv ${names.join(' ')} files/ && mv repositories/* .`,
  `  mv ${names.join(' ')} repositories/ && mv files/* .`,
  'done',
].join('\n');

test.for(modes)('mode %s: a swapped repository is never entered by a snapshot', async (mode, context) => {
  await needsSandbox(mode, context);
  const { trace, script } = makeTrap();
  const workspace = rig.workspace();
  const evil = join(workspace, 'evil');
  writeFileSync(evil, script, { mode: 0o755 });
  fill(workspace, evil);
  const looks = Array.from({ length: 5 }, (_, index) => ({
    id: `look-${index}`,
    description: 'its snapshots are taken while files are swapped',
    executor: {
      kind: 'command' as const,
      run: [
        'sh',
        '-c',
        'for i in 1 2 3 4 5 6 7 8 9 10; do [ -e ready ] && break; sleep 1; done; echo done; [ $HEDDLE_SUBTASK_ID != look-4 ] || touch stop',
      ],
    },
    ...(index === 0 ? {} : { dependsOn: [`look-${index - 1}`] }),
  }));
  const { state } = await play(rig, {
    workspace,
    mode,
    turns: [[['shell', { command: swap }]]],
    more: looks,
  });
  expect(state).toBe('completed');
  expect(existsSync(trace)).toBe(false);
});
