// Effects of git commands, and the check if they happened, from the state of the repository before and now.
import { expect, test } from 'vitest';
import type { GitChanges, RepositoryState } from '../../../domain/conversation/effect.ts';
import { readGitChanges, findSubcommand, formatMoved, settleGit } from '../../../domain/workspace/git-effect.ts';

test.each<[string, GitChanges]>([
  ['status --short', 'nothing'],
  ['-c color.ui=never log -1', 'nothing'],
  ['--no-pager diff', 'nothing'],
  ['commit -m x', 'head'],
  ['-c user.name=x commit --amend', 'head'],
  ['add .', 'marks'],
  ['tag v1', 'marks'],
  ['push origin main', 'more'],
  ['checkout main', 'more'],
  ['st', 'more'],
  ['constructor', 'more'],
  ['-C ../other status', 'more'],
  ['--git-dir=../other/.git commit', 'more'],
  ['--version', 'more'],
])('git %s changes %s', (args, changes) => {
  expect(readGitChanges(args.split(' '))).toBe(changes);
});

test('a subcommand is found behind options', () => {
  expect(findSubcommand(['-c', 'diff', 'show'])).toBe(2);
  expect(findSubcommand(['-c'])).toBe(-1);
  expect(findSubcommand([])).toBe(-1);
});

const state = (given: Partial<RepositoryState> = {}): RepositoryState => ({
  head: 'h1',
  parent: 'h0',
  refs: 'r1',
  index: 'i1',
  ...given,
});

test.each<[GitChanges, RepositoryState | null, RepositoryState | null, string]>([
  ['nothing', null, null, 'not-done'],
  ['head', state(), state(), 'not-done'],
  ['head', state(), state({ index: 'i2' }), 'not-done'],
  ['head', state(), state({ head: 'h2', parent: 'h1' }), 'done'],
  ['head', state({ head: null, parent: null }), state({ head: 'h2', parent: null }), 'done'],
  ['head', state(), state({ head: 'h2', parent: 'h0' }), 'unclear'],
  ['head', null, state(), 'unclear'],
  ['marks', state(), state(), 'not-done'],
  ['marks', state(), state({ refs: 'r2' }), 'unclear'],
  ['marks', state(), state({ index: 'i2' }), 'unclear'],
  ['more', state(), state(), 'unclear'],
  ['more', state(), state({ head: 'h2', parent: 'h1' }), 'unclear'],
])('the end of a change of %s from %o to %o is known: %4$s', (changes, before, now, settled) => {
  expect(settleGit(changes, before, now)).toBe(settled);
});

test('the changes in a repository are listed', () => {
  expect(formatMoved(state(), state())).toBe('HEAD, refs and the index are unchanged.');
  expect(formatMoved(state({ head: null }), state({ refs: 'r2', index: 'i2' }))).toBe(
    'HEAD moved from nothing to h1, refs changed, the index changed.',
  );
  expect(formatMoved(null, state())).toBe('There is no repository to compare with.');
});
