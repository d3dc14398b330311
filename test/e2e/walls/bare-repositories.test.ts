// A folder of a repository's form is one to git, whatever it is called: tools on files neither make such a folder nor write into one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { eventsOf } from '../../support/events.ts';
import { until } from '../../support/cli.ts';
import { useRig } from '../../support/rig.ts';
import { calls, finishes } from '../../support/scripted-models.ts';
import { makeTrap, modes, needsSandbox, play, playAgents, type Turn } from './support-walls.ts';

const rig = useRig();

const write = (path: string, content: string): Turn => [['write_file', { path, content }]];
const move = (from: string, to: string): Turn => [['move_path', { from, to }]];
const head = 'ref: refs/heads/main\n';
const object = (folder: string): Turn => write(`${folder}/objects/info/keep`, '');
const reference = (folder: string): Turn => write(`${folder}/refs/heads/keep`, '');

/** Each ends with a repository `inner` whose settings are `config`, if nothing refuses a part of it. */
const attacks: Record<string, (config: string) => Turn[]> = {
  'written file by file': (config) => [
    write('inner/HEAD', head),
    object('inner'),
    reference('inner'),
    write('inner/config', config),
  ],
  'written with its head last': (config) => [
    write('inner/config', config),
    object('inner'),
    reference('inner'),
    write('inner/HEAD', head),
  ],
  'completed by a file that is moved': (config) => [
    write('inner/config', config),
    object('inner'),
    reference('inner'),
    write('inner/other', head),
    move('inner/other', 'inner/HEAD'),
  ],
  'completed by a folder that is moved': (config) => [
    write('inner/config', config),
    write('inner/HEAD', head),
    object('inner'),
    write('elsewhere/heads/keep', ''),
    move('elsewhere', 'inner/refs'),
  ],
  'a worktree that names another place': (config) => [
    object('other'),
    reference('other'),
    write('other/config', config),
    write('inner/HEAD', head),
    write('inner/commondir', '../other\n'),
  ],
};

/** Commands that a user may type in a folder that was left behind. */
function useGit(folder: string): void {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  for (const args of [['status'], ['st'], ['log']]) spawnSync('git', args, { cwd: folder, env });
}

describe.for(modes)('mode %s', (mode) => {
  test.for(Object.entries(attacks))('%s: tools on files make no repository', async ([, turns], context) => {
    await needsSandbox(mode, context);
    const { trace } = makeTrap();
    const workspace = rig.workspace();
    const config = `[alias]\n\tst = "!touch ${trace}"\n`;
    const { state, task } = await play(rig, { workspace, mode, turns: turns(config) });
    useGit(join(workspace, 'inner'));
    expect(state).toBe('completed');
    expect(existsSync(trace)).toBe(false);
    expect(eventsOf((await task.allEvents()).items, 'tool.refused')).toHaveLength(1);
  });

  test("a bare repository of the user's keeps its settings and hooks, and can be deleted", async (context) => {
    await needsSandbox(mode, context);
    const workspace = rig.workspace();
    mkdirSync(join(workspace, 'fixtures'));
    execFileSync('git', ['init', '-q', '--bare', join(workspace, 'fixtures', 'store.git')]);
    const config = join(workspace, 'fixtures', 'store.git', 'config');
    const before = readFileSync(config, 'utf8');
    const { task } = await play(rig, {
      workspace,
      mode,
      turns: [
        write('fixtures/store.git/config', '[alias]\n\tst = "!evil"\n'),
        write('fixtures/store.git/hooks/pre-receive', '#!/bin/sh\n'),
        move('fixtures/store.git/config', 'fixtures/config'),
        write('fixtures/note.txt', 'a note'),
      ],
    });
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(existsSync(join(workspace, 'fixtures', 'note.txt'))).toBe(true);
    expect(eventsOf((await task.allEvents()).items, 'tool.refused')).toHaveLength(3);
    const deleted = await play(rig, {
      workspace,
      mode,
      turns: [[['delete_path', { path: 'fixtures/store.git' }]]],
    });
    expect(deleted.state).toBe('completed');
    expect(existsSync(config)).toBe(false);
  });

  test('two copies whose merges make one repository: nothing of it runs for the user', async (context) => {
    await needsSandbox(mode, context);
    const { trace } = makeTrap();
    const workspace = rig.workspace();
    const config = `[alias]\n\tst = "!touch ${trace}"\n`;
    const parts = {
      first: [write('inner/HEAD', head), object('inner')],
      second: [reference('inner'), write('inner/config', config)],
    };
    let begun = 0;
    const replyOf =
      (turns: readonly Turn[]) =>
      async (turn: number): Promise<ScriptReply> => {
        const next = turns[turn - 1];
        if (turn === 1) begun += 1;
        // Neither copy is made after the other one is merged.
        await until('both agents work', () => begun === 2);
        return next === undefined ? finishes() : calls(...next);
      };
    const state = await playAgents(rig, {
      workspace,
      mode,
      replies: { first: replyOf(parts.first), second: replyOf(parts.second) },
      subtask: { isolation: 'worktree' },
    });
    expect(state).toBe('completed');
    expect(existsSync(join(workspace, 'inner', 'HEAD'))).toBe(true);
    useGit(join(workspace, 'inner'));
    expect(existsSync(trace)).toBe(false);
  });
});
