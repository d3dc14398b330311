// Settings of a repository that an agent made: what names a program is taken out, and what is written back is read by git as it was.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatSettings,
  isHarmless,
  parseSettings,
  splitSettings,
  type GitSetting,
} from '../../../domain/workspace/git-settings.ts';
import { runsCode } from '../../../domain/gates/shell/unwrap/read-git.ts';

const kept: [string, string | null][] = [
  ['core.repositoryformatversion', '0'],
  ['core.filemode', 'true'],
  ['core.bare', null],
  ['user.name', 'A B'],
  ['remote.origin.url', 'https://example.org/a.git'],
  ['remote.origin.url', 'git@example.org:a/b.git'],
  ['remote.origin.url', '../other'],
  ['remote.origin.url', 'other'],
  ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ['branch.feature/x.merge', 'refs/heads/x'],
  ['submodule.lib.active', 'true'],
  ['pull.rebase', 'true'],
];

const removed: [string, string | null][] = [
  ['gc.recentobjectshook', './evil'],
  ['core.fsmonitor', './x'],
  ['core.hookspath', 'h'],
  ['core.sshcommand', 'x'],
  ['core.worktree', '..'],
  ['core.attributesfile', 'x'],
  ['core.pager', 'x'],
  ['core.editor', 'x'],
  ['core.askpass', 'x'],
  ['pull.twohead', 'evil'],
  ['alias.st', '!x'],
  ['credential.helper', '!x'],
  ['credential.https://example.org.helper', 'x'],
  ['diff.x.textconv', 'x'],
  ['diff.external', 'x'],
  ['difftool.x.cmd', 'x'],
  ['extensions.worktreeconfig', 'true'],
  ['filter.x.smudge', 'x'],
  ['filter.x.process', 'x'],
  ['gpg.ssh.program', 'x'],
  ['include.path', '../x'],
  ['includeif.gitdir:x.path', 'x'],
  ['merge.x.driver', 'x'],
  ['pager.log', 'x'],
  ['remote.origin.uploadpack', 'x'],
  ['remote.origin.vcs', 'x'],
  ['remote.origin.url', 'ext::sh -c x'],
  ['remote.origin.url', '-x'],
  ['remote.origin.url', null],
  ['submodule.lib.update', '!x'],
  ['submodule.lib.url', 'ext::x'],
  ['url.x.insteadof', 'https://'],
  ['protocol.ext.allow', 'always'],
  ['something.unknown', 'x'],
  ['branch.x.merge', 'a\n[core]'],
];

test.for(kept)('%s = %s is kept', ([key, value]) => expect(isHarmless({ key, value })).toBe(true));
test.for(removed)('%s = %s is removed', ([key, value]) => expect(isHarmless({ key, value })).toBe(false));

test('no setting that a gate asks about is kept', () => {
  const names = [...kept, ...removed].filter(([key]) => runsCode(key));
  expect(names.filter(([key, value]) => isHarmless({ key, value }))).toEqual([]);
});

test('a setting from before the task stays, with this value alone', () => {
  const before = [{ key: 'alias.mine', value: '!mine' }];
  const now = [...before, { key: 'alias.mine', value: '!other' }, { key: 'core.bare', value: 'false' }];
  expect(splitSettings(now, before)).toEqual({
    kept: [
      { key: 'alias.mine', value: '!mine' },
      { key: 'core.bare', value: 'false' },
    ],
    removed: ['alias.mine'],
  });
});

const list = (text: string): GitSetting[] =>
  parseSettings(execFileSync('git', ['config', '--file', '-', '--list', '-z'], { input: text, encoding: 'utf8' }));

test('written settings are read by git unchanged', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
  const text = fc.string({ unit: fc.constantFrom(...'ab"\\ #;=[]\t\n\'$`é%.!'.split('')), maxLength: 12 });
  const key = fc.oneof(
    fc.tuple(name, name).map((parts) => parts.join('.')),
    fc
      .tuple(
        name,
        text.filter((middle) => !middle.includes('\n')),
        name,
      )
      .map((parts) => parts.join('.')),
  );
  const setting = fc.record({ key, value: fc.option(text) });
  fc.assert(
    fc.property(fc.array(setting, { maxLength: 6 }), (settings) => {
      expect(list(formatSettings(settings))).toEqual(settings);
    }),
    { numRuns: 60 },
  );
});
