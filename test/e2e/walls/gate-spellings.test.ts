// A model that spells one call after the other so that a gate might read it wrong; a person says no to each question.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf } from '../../support/events.ts';
import { useRig } from '../../support/rig.ts';
import { signatures, spellings, type Call, type Outcome } from './gate-spellings.ts';
import { modes, needsSandbox, play } from './support-walls.ts';

const rig = useRig();

/** A repository without `.git`, as a model can write it by tools on files alone, and one whose settings name a program. */
function makeFiles(workspace: string): void {
  const run = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: workspace, stdio: 'pipe' });
  };
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src', 'kept'), 'kept');
  writeFileSync(join(workspace, 'a.txt'), 'a\n');
  writeFileSync(join(workspace, 'made'), '#!/bin/sh\ntouch "$(dirname "$0")/ran"\ncat\n', { mode: 0o755 });
  const program = join(workspace, 'made');
  run('init', '-q', '-b', 'main');
  run('init', '-q', '--bare', 'remote.git');
  run('remote', 'add', 'origin', './remote.git');
  run('add', 'a.txt');
  run('commit', '-q', '-m', 'first');
  run('init', '-q', '--bare', 'bare');
  run('--git-dir=bare', 'config', 'core.bare', 'false');
  run('--git-dir=bare', 'config', 'core.worktree', workspace);
  run('--git-dir=bare', 'config', 'core.fsmonitor', program);
  run('--git-dir=bare', 'config', 'core.pager', program);
  run('init', '-q', 'named');
  writeFileSync(join(workspace, 'named', '.gitattributes'), '* diff=made\n');
  run('-C', 'named', 'add', '.');
  run('-C', 'named', 'commit', '-q', '-m', 'first');
  run('-C', 'named', 'config', 'diff.made.textconv', program);
}

/** Calls that one reply may hold. */
const perReply = 32;

const turnsOf = (made: readonly Call[]): Call[][] =>
  Array.from({ length: Math.ceil(made.length / perReply) }, (_, turn) =>
    made.slice(turn * perReply, (turn + 1) * perReply),
  );

/** The deliverables of a subtask are fixed from its second attempt on. */
const fails: Call[] = [['finish', { status: 'failed', notes: 'not yet', deliverablesTouched: [] }]];

function outcomeIn(result: string): Outcome {
  if (result.includes('A person rejected this call')) return 'asked';
  return result.startsWith('Refused: ') ? 'refused' : 'runs';
}

test.for(modes)(
  'mode %s: each spelling is asked about, refused or runs as the table says',
  { timeout: 180_000 },
  async (mode, context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    makeFiles(workspace);
    const rows = spellings.flatMap((one) => one.calls.map((call) => ({ call, outcome: one[mode] })));
    const { state, results, task } = await play(rig, {
      ...{ workspace, mode, answer: 'reject' as const, turns: [fails, ...turnsOf(rows.map(({ call }) => call))] },
      plan: { budget: { toolCalls: 1_000, mutations: 1_000 } },
      subtask: { deliverables: ['report.md'] },
    });
    expect(rows.map(({ call }, at) => [outcomeIn(results[at] ?? 'nothing'), call])).toEqual(
      rows.map(({ call, outcome }) => [outcome, call]),
    );
    expect([state, results.length]).toEqual(['completed', rows.length]);
    expect(existsSync(join(workspace, 'src/kept'))).toBe(true);
    const questions = eventsOf((await task.allEvents()).items, 'decision.opened').map(({ decision }) => decision);
    const unread = questions.filter((one) => 'action' in one && ['code', 'unclear'].includes(one.action.danger));
    expect(unread.length).toBeGreaterThan(10);
    // Enter takes what is recommended: it never starts what nobody can read.
    expect(unread.filter(({ recommendation }) => recommendation !== 'reject')).toEqual([]);
    const signed = questions.flatMap((one) => {
      const command = 'action' in one ? String((one.action.arguments as { command?: unknown }).command) : '';
      return Object.hasOwn(signatures, command) ? [[command, one.signature]] : [];
    });
    expect(Object.fromEntries(signed)).toEqual(signatures);
    // In a sandbox they may be made: nobody needs to be asked about what readers write there.
    if (mode === 'off') expect(['ran', 'made-file'].filter((name) => existsSync(join(workspace, name)))).toEqual([]);
  },
);
