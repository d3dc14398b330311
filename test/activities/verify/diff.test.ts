import { execFileSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { extractDiff } from '../../../activities/verify/checks/extract-diff.ts';
import { codesOf, VerifyRig } from './rig.ts';

// `diff: true`: stdout is a unified diff that applies to the workspace, wherever the workspace lies.

const before = 'one\ntwo\nthree\nfour\nfive\n';
const diff = ['--- a/sub/a.txt', '+++ b/sub/a.txt', '@@ -1,3 +1,3 @@', ' one', '-two', '+TWO', ' three', ''].join('\n');
const wrong = diff.replace('-two', '-zwei');
const creates = ['--- /dev/null', '+++ b/new.txt', '@@ -0,0 +1,2 @@', '+a', '+b', ''].join('\n');

describe('a diff is taken out of', () => {
  test.each([
    ['nothing else', diff],
    ['a fence', `Here it is:\n\n\`\`\`diff\n${diff}\`\`\`\n\nThat changes - and + things.\n`],
    ['prose without a fence', `I changed one line.\n${diff}\nThat was it.\n{"status":"success"}\n`],
  ])('%s', (_, text) => {
    expect(extractDiff(text).diff).toBe(diff);
  });

  test('several fences, as one', () => {
    const text = `First:\n\`\`\`diff\n${diff}\`\`\`\nThen:\n\`\`\`diff\n${creates}\`\`\`\n`;
    expect(extractDiff(text).diff).toBe(diff + creates);
  });

  test('a mail, without its signature', () => {
    const text = `From: A\nSubject: x\n---\n a.txt | 2 +-\n\n${diff}-- \n2.39.5\n`;
    expect(extractDiff(text)).toEqual({ diff });
  });

  test('renames and modes, which have no hunks', () => {
    const text = 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n';
    expect(extractDiff(text).diff).toBe(text);
  });

  test('prose alone: none', () => {
    expect(extractDiff('--- a list\n- one\n+ two\nindex of things\n').diff).toBe('');
    expect(extractDiff('').diff).toBe('');
  });
});

describe('the check', () => {
  let rig: VerifyRig;
  beforeEach(async () => {
    rig = await VerifyRig.make();
    await rig.write({ 'sub/a.txt': before });
  });
  afterEach(() => rig.remove());
  const verify = (stdout: string, env: Record<string, string | undefined> = process.env) =>
    rig.verify({ diff: true, stdout }, { secrets: new EnvironmentSecrets(env) });
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  test.each([
    ['a plain one', diff],
    ['one among prose', `Sure!\n\`\`\`diff\n${diff}\`\`\`\nDone.`],
    ['one that makes a file', creates],
    ['several', diff + creates],
    ['git’s own', `diff --git a/sub/a.txt b/sub/a.txt\nindex 1..2 100644\n${diff}`],
  ])('%s that applies passes, and changes nothing', async (_, text) => {
    expect((await verify(text)).issues).toEqual([]);
    expect(await readFile(rig.path('sub/a.txt'), 'utf8')).toBe(before);
  });

  test.each<[string, string, RegExp]>([
    ['one whose context is not there', wrong, /hunk at line 1 of sub\/a\.txt does not match/],
    ['one for a file that is not there', diff.replaceAll('a.txt', 'gone.txt'), /sub\/gone\.txt: No such file/],
    [
      'one with a wrong count',
      diff.replace('-1,3 +1,3', '-1,9 +1,9'),
      /malformed after @@ -1,9 \+1,9 @@ of b\/sub\/a\.txt/,
    ],
    ['one with too small a count', diff.replace('-1,3 +1,3', '-1,1 +1,1'), /more lines than its @@ line counts/],
    ['one that creates a file that exists', creates.replace('new.txt', 'sub/a.txt'), /already exists/],
    ['one that climbs out', creates.replace('b/new.txt', 'b/../../up.txt'), /invalid path/],
    ['prose', 'I changed the file as you asked.', /contains no unified diff/],
  ])('%s fails', async (_, text, says) => {
    const verdict = await verify(text);
    expect(codesOf(verdict)).toEqual(['hard diff-invalid']);
    expect(verdict.issues[0]?.message).toMatch(says);
  });

  test('nothing on stdout is an empty output, said once', async () => {
    expect(codesOf(await verify(' \n'))).toEqual(['hard empty-output']);
    expect(codesOf(await rig.verify({ diff: true, stdout: '', verify: ['true'] }))).toEqual(['hard diff-invalid']);
  });

  test('a file behind a symlink that leads outside is refused', async () => {
    await writeFile(join(rig.base, 'a.txt'), before);
    await symlink(rig.base, rig.path('out'));
    expect((await verify(diff.replaceAll('sub/', 'out/'))).issues[0]?.message).toMatch(/beyond a symbolic link/);
  });

  test('in a subfolder of somebody’s repository it is still checked against the files, and the index stays as it was', async () => {
    const outer = dirname(rig.workspace);
    git(outer, 'init', '-q');
    git(outer, 'add', '.');
    git(outer, 'commit', '-qm', 'x');
    const index = await readFile(join(outer, '.git', 'index'));
    const header = 'diff --git a/sub/a.txt b/sub/a.txt\n';
    expect((await verify(diff)).outcome).toBe('pass');
    expect((await verify(header + diff)).outcome).toBe('pass');
    expect(codesOf(await verify(wrong))).toEqual(['hard diff-invalid']);
    // Without the ceiling git would skip a file of another folder, and call that success.
    expect(codesOf(await verify(header + wrong))).toEqual(['hard diff-invalid']);
    expect(await readFile(join(outer, '.git', 'index'))).toEqual(index);
  });

  test('a workspace that is a repository itself is checked as it is on disk, not as committed', async () => {
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'add', '.');
    git(rig.workspace, 'commit', '-qm', 'x');
    await writeFile(rig.path('sub/a.txt'), before.replace('two', 'changed'));
    const index = await readFile(rig.path('.git/index'));
    expect(codesOf(await verify(diff))).toEqual(['hard diff-invalid']);
    expect(await readFile(rig.path('.git/index'))).toEqual(index);
  });

  test('trailing white space is not our business, whatever the repository’s settings', async () => {
    git(rig.workspace, 'init', '-q');
    git(rig.workspace, 'config', 'apply.whitespace', 'error');
    expect((await verify(diff.replace('+TWO', '+TWO \t'))).outcome).toBe('pass');
  });

  test('without git the issue says so', async () => {
    const verdict = await verify(diff, { PATH: join(rig.base, 'nothing') });
    expect(verdict.issues[0]?.message).toMatch(/git could not be started/);
    expect(verdict.issues[0]?.details).toContain('ENOENT');
  });
});
