// Settings of a repository that make git run programs: which they are, and how the usual calls go without them.
import { expect, test } from 'vitest';
import { gitOptions, namedPrograms, withoutPrograms } from '../../../domain/workspace/git-programs.ts';

test.each([
  'alias.x',
  'core.alternateRefsCommand',
  'diff.external',
  'diff.pdf.textconv',
  'diff.word.command',
  'filter.lfs.process',
  'filter.x.clean',
  'gpg.program',
  'gpg.x509.program',
  'interactive.diffFilter',
  'merge.ours.driver',
  'pager.log',
  'remote.origin.uploadpack',
  'remote.a.b.receivepack',
  'submodule.x.update',
  'trailer.sign.command',
])('%s may run a program', (key) => {
  expect(namedPrograms(['core.bare', key, key])).toEqual([key.toLowerCase()]);
});

test('other settings run no program', () => {
  const others = [
    'core.bare',
    'user.name',
    'remote.origin.url',
    'branch.main.merge',
    'filter.lfs.required',
    'diff.renames',
  ];
  expect(
    namedPrograms([...others, 'core.sshCommand', 'core.hooksPath', 'credential.helper', 'core.fsmonitor']),
  ).toEqual([]);
});

test('hooks run where they can do little harm', () => {
  expect(gitOptions('/w', { sandboxed: false })).toContain('core.hooksPath=/dev/null');
  expect(gitOptions('/w', { sandboxed: true })).not.toContain('core.hooksPath=/dev/null');
});

test('git compares without programs of the settings', () => {
  expect(withoutPrograms(['diff', '--stat'], 0)).toEqual(['diff', '--no-ext-diff', '--no-textconv', '--stat']);
  expect(withoutPrograms(['-c', 'a=b', 'log'], 2)).toEqual(['-c', 'a=b', 'log', '--no-ext-diff', '--no-textconv']);
  expect(withoutPrograms(['status'], 0)).toEqual(['status']);
  expect(withoutPrograms(['--version'], -1)).toEqual(['--version']);
});
