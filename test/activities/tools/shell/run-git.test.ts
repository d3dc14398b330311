// The tool `git`: its answers, what of a repository's settings does not run, and what is known of a call that was cut off.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNamedPrograms } from '../../../../activities/tools/shell/repository.ts';
import { assessEffect, planEffect, seeEffect, settleEffect } from '../../../../activities/tools/run-tool.ts';
import type { CallEffect, ToolOutcome, ToolContext } from '../../../../activities/tools/common/tool.ts';
import { temporaryFolder } from '../../execute/program/support.ts';
import { bubblewrap } from '../../sandbox/support.ts';
import { commandsAt, placeAt } from '../../../support/tool-place.ts';
import { mutatingTool } from '../files/mutating-tool.ts';
import { callTool } from '../files/support.ts';

const tool = mutatingTool('git');

const gitIn = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

/** A repository with one commit: all others are copies of it. */
let made = '';
beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), 'heddle-test-'));
  gitIn(made, 'init', '-q', '-b', 'main', '--template=');
  mkdirSync(join(made, '.git/hooks'));
  appendFileSync(join(made, '.git/config'), '[user]\n\tname = T\n\temail = t@example.org\n');
  writeFileSync(join(made, 'a.txt'), 'one\n', { mode: 0o755 });
  gitIn(made, 'add', '.');
  gitIn(made, 'commit', '-qm', 'first');
});
afterAll(() => rmSync(made, { recursive: true }));

describe.each([
  ['in the sandbox', bubblewrap],
  ['beside everything else', undefined],
] as const)('%s', (where, sandbox) => {
  const isSkipped = where === 'in the sandbox' && sandbox === undefined;

  interface GitRig {
    place: ToolContext;
    at: (path: string) => string;
    write: (path: string, text: string) => void;
    /** As the user, beside the tool. */
    git: (...args: string[]) => string;
    call: (...args: string[]) => Promise<ToolOutcome>;
  }

  async function makeRepository(): Promise<GitRig> {
    const workspace = realpathSync(await temporaryFolder());
    const place = placeAt(workspace, commandsAt(workspace, sandbox));
    const at = (path: string): string => join(workspace, path);
    const write = (path: string, text: string): void => writeFileSync(at(path), text, { mode: 0o755 });
    const git = (...args: string[]): string => gitIn(workspace, ...args);
    cpSync(made, workspace, { recursive: true });
    return { place, at, write, git, call: (...args) => callTool('git', JSON.stringify({ args }), place) };
  }

  test.skipIf(isSkipped)('reads and commits', async () => {
    const { call, write, git } = await makeRepository();
    write('a.txt', 'two\n');
    expect(await call('status', '--short')).toEqual({ ok: true, text: 'Exit 0.\n M a.txt' });
    expect(await call('commit', '-qam', 'a message with  "spaces" and $(things)')).toMatchObject({ ok: true });
    expect(git('log', '-1', '--format=%an: %s')).toBe('T: a message with  "spaces" and $(things)');
    expect(await call('diff', 'HEAD~1', '--stat')).toMatchObject({ ok: true });
    expect(await call('nonsense')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^Exit 1\.\ngit: 'nonsense'/) as string,
    });
  });

  test.skipIf(isSkipped)('asks nobody and opens nothing', async () => {
    const { call } = await makeRepository();
    expect(await call('commit', '--allow-empty')).toMatchObject({
      ok: false,
      text: expect.stringContaining('empty') as string,
    });
    expect(await call('commit', '--amend')).toMatchObject({ ok: true });
    expect(await call('rebase', '-i', '--root')).toMatchObject({ ok: true });
    expect(await call('fetch', 'https://127.0.0.1:1/x.git')).toMatchObject({ ok: false });
  });

  test.skipIf(isSkipped)('does not run what the settings of the repository name', async () => {
    const { call, git, write, at } = await makeRepository();
    write('evil', '#!/bin/sh\ntouch ran\ncat\n');
    write('.gitattributes', '*.txt diff=evil\n');
    const keys = [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'core.askPass',
      'credential.helper',
    ];
    const more = ['diff.external', 'diff.evil.textconv', 'diff.evil.command', 'gpg.program', 'pager.log'];
    const named = [...keys, ...more].map((key) => [key, './evil']);
    for (const [key = '', value = ''] of [...named, ['commit.gpgSign', 'true'], ['protocol.ext.allow', 'always']]) {
      const [, section, sub, name] = /^(\w+)(?:\.(\w+))?\.(\w+)$/.exec(key) ?? [];
      appendFileSync(at('.git/config'), `[${section}${sub === undefined ? '' : ` "${sub}"`}]\n\t${name} = ${value}\n`);
    }
    expect(git('config', 'diff.evil.command')).toBe('./evil');
    write('a.txt', 'two\n');
    for (const args of [['status'], ['diff'], ['log', '-p'], ['show'], ['add', 'a.txt'], ['commit', '-m', 'x']])
      expect(await call(...args)).toMatchObject({ ok: true });
    await call('fetch', 'ssh://127.0.0.1:1/x');
    await call('fetch', 'ext::./evil');
    await call('commit', '--amend');
    expect(existsSync(at('ran'))).toBe(false);
  });

  test.skipIf(isSkipped)(`hooks ${sandbox === undefined ? 'do not run' : 'run inside'}`, async () => {
    const { call, write, at } = await makeRepository();
    write('.git/hooks/pre-commit', '#!/bin/sh\nhostname > ran\n');
    expect(await call('commit', '--allow-empty', '-m', 'x')).toMatchObject({ ok: true });
    expect(existsSync(at('ran'))).toBe(sandbox !== undefined);
  });

  test.skipIf(isSkipped)('a repository above the workspace is none of its business', async () => {
    const { git, at } = await makeRepository();
    execFileSync('mkdir', [at('inside')]);
    const inside = placeAt(at('inside'), commandsAt(at('inside'), sandbox));
    expect(await callTool('git', '{"args":["status"]}', inside)).toMatchObject({ ok: false });
    expect(git('status', '--short')).toBe('');
  });

  test.skipIf(isSkipped)('what a call that was cut off did is seen in the repository', async () => {
    const { place, git, write } = await makeRepository();
    const plan = async (...args: string[]): Promise<CallEffect> =>
      (await planEffect(tool, { args }, place)) as CallEffect;
    const commit = await plan('commit', '-am', 'x');
    const add = await plan('add', '.');
    const push = await plan('push');
    expect(commit).toMatchObject({
      action: 'run `git commit -am x`',
      files: [],
      command: { git: { changes: 'head' } },
    });
    expect(await settleEffect(tool, commit, place)).toBe('not-done');
    expect(await settleEffect(tool, add, place)).toBe('not-done');
    expect(await settleEffect(tool, push, place)).toBe('unclear');
    expect(await settleEffect(tool, await plan('status'), place)).toBe('not-done');
    write('a.txt', 'two\n');
    git('commit', '-qam', 'x');
    expect(await settleEffect(tool, commit, place)).toBe('done');
    expect(await settleEffect(tool, add, place)).toBe('unclear');
    expect(await seeEffect(tool, add, place)).toMatch(
      /^HEAD moved from \w{12} to \w{12}, refs changed, the index changed\. Changed since it began, by it or by something else: a\.txt\.$/,
    );
    git('commit', '-q', '--amend', '-m', 'y');
    git('commit', '-q', '--allow-empty', '-m', 'z');
    expect(await settleEffect(tool, commit, place)).toBe('unclear');
  });
});

test('without a sandbox, programs that the settings of a repository name are asked about', async () => {
  const workspace = realpathSync(await temporaryFolder());
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  git('init', '-q');
  const place = placeAt(workspace, commandsAt(workspace));
  expect(await readNamedPrograms(place)).toEqual([]);
  git('config', 'filter.x.clean', './evil');
  git('config', 'include.path', '../more');
  writeFileSync(join(workspace, 'more'), '[alias]\n\ts = !evil\n');
  expect(await readNamedPrograms(place)).toEqual(['filter.x.clean', 'alias.s']);
  const allowing = { ...place, gates: { ...place.gates, rules: { allow: ['git:status'], ask: [], deny: [] } } };
  const args = { args: ['status'] };
  const effect = { action: 'run git', files: [] };
  expect(await assessEffect(tool, { args, effect }, allowing)).toMatchObject({ kind: 'ask' });
});
