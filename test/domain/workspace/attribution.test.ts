// Attribution of changes: by interval, narrowed by declarations, and after changes and undos of others.
import { describe, expect, test } from 'vitest';
import {
  attribute,
  declarations,
  buildWriterKey,
  splitIntervals,
  type WriterMark,
} from '../../../domain/workspace/attribution.ts';
import { computeShare, type ContentChange, type FileWrite, type Share } from '../../../domain/workspace/tool-writes.ts';
import { sideOfSubtask, sideOfTask, foldPathHistory, type PathChange } from '../../../domain/workspace/path-history.ts';
import type { Writer } from '../../../domain/types/basic/workspace.ts';

const hash = (character: string): string => character.repeat(64);
const writer = (subtask: string, task = 't'): Writer => ({ task, subtask, undo: false });

/** `a+` starts a, `a-` ends it, `a!` loses it; `?` after it: the snapshot failed. */
function marks(...texts: string[]): WriterMark[] {
  return texts.map((text, index) => {
    const isGap = text.endsWith('?');
    const sign = isGap ? text.at(-2) : text.at(-1);
    const moment = sign === '+' ? 'start' : sign === '-' ? 'end' : 'lost';
    const subtask = text.replace(/[+!?-]+$/, '');
    const kept = { tree: isGap ? null : `tree-${index}`, gap: isGap ? 'why' : null };
    return { seq: index, at: index, moment, writer: writer(subtask), attempt: 1, declared: [], ...kept };
  });
}

const formatIntervals = (...texts: string[]): string[] =>
  splitIntervals(marks(...texts)).intervals.map(
    ({ writers, unattended }) => writers.map(({ subtask }) => subtask).join('|') + (unattended ? '~' : ''),
  );

describe('intervals', () => {
  test('belong to those who ran in them', () => {
    expect(formatIntervals('a+', 'a-', 'b+', 'c+', 'b-', 'c-')).toEqual(['a', '~', 'b', 'b|c', 'c']);
  });

  test('continue through a second start, and end when their writer is lost', () => {
    expect(formatIntervals('a+', 'a+', 'a-')).toEqual(['a', 'a']);
    expect(formatIntervals('a+', 'b+', 'a!', 'b-')).toEqual(['a', 'a|b', 'b']);
  });

  test('are joined over a gap with every writer that ran in any part of it', () => {
    expect(formatIntervals('a+', 'b+?', 'a-', 'b-')).toEqual(['a|b', 'b']);
    expect(formatIntervals('a+', 'a-', 'b+?', 'b-')).toEqual(['a', 'b~']);
    expect(formatIntervals('a+', 'a-?', 'b+', 'b-')).toEqual(['a~', 'b']);
  });

  test('are doubtful where an end has no start', () => {
    expect(formatIntervals('a+', 'a-', 'b-')).toEqual(['a', 'b~']);
  });

  test('list the writers from before the first working snapshot', () => {
    expect(splitIntervals(marks('a+?', 'a-', 'b+', 'b-')).unseen).toEqual([writer('a')]);
    expect(splitIntervals(marks('a+?', 'a-?')).unseen).toEqual([writer('a')]);
    expect(splitIntervals(marks('a+', 'a-')).unseen).toEqual([]);
  });
});

describe('attribution', () => {
  const both = { writers: [writer('a'), writer('b')], unattended: false };
  const declared = declarations([
    ...marks('a+').map((mark) => ({ ...mark, declared: ['out'] })),
    ...marks('a-').map((mark) => ({ ...mark, declared: ['deep/file'] })),
    ...marks('b+').map((mark) => ({ ...mark, declared: ['outer', 'both'] })),
  ]);

  test('is narrowed by declared files and folders, not by names with the same beginning', () => {
    const by = (path: string): (string | null)[] =>
      attribute(both, { path }, declared).by.map(({ subtask }) => subtask);
    expect(by('out')).toEqual(['a']);
    expect(by('out/in/side')).toEqual(['a']);
    expect(by('outer')).toEqual(['b']);
    expect(by('deep/file')).toEqual(['a']);
    expect(by('deep')).toEqual(['a', 'b']);
    expect(by('neither')).toEqual(['a', 'b']);
  });

  test('stays doubtful where no writer may have run, whatever was declared', () => {
    expect(attribute({ ...both, unattended: true }, { path: 'out' }, declared)).toEqual({
      by: [writer('a')],
      orSomebody: true,
    });
    expect(attribute({ writers: [], unattended: true }, { path: 'out' }, declared)).toEqual({
      by: [],
      orSomebody: true,
    });
  });

  test('gives an undo the files that it named and nothing else', () => {
    const undo: Writer = { task: 't', subtask: null, undo: true };
    const all = declarations([
      ...marks('a+'),
      ...marks('u+').map((mark) => ({ ...mark, writer: undo, declared: ['f'] })),
    ]);
    const interval = { writers: [writer('a'), undo], unattended: false };
    expect(attribute(interval, { path: 'f' }, all).by).toEqual([undo]);
    expect(attribute(interval, { path: 'g' }, all).by).toEqual([writer('a')]);
    expect(attribute({ writers: [undo], unattended: false }, { path: 'g' }, all).by).toEqual([]);
  });
});

describe("an agent's report of its writes", () => {
  const mark = (attempt: number, commandFollows: boolean, ...writes: FileWrite[]) => ({
    attempt,
    ledger: { writes, commandFollows },
  });
  const write = (path: string): FileWrite => ({ path, before: null, after: hash('a') });
  const ledgersOf = (given: WriterMark[]): string[] =>
    splitIntervals(given).intervals.map(({ ledgers }) =>
      [...ledgers.values()].map((writes) => `files ${writes.map(({ path }) => path).join()}`).join('|'),
    );
  const journal = (texts: string[], ...rest: (object | undefined)[]): WriterMark[] =>
    marks(...texts).map((mark, index) => ({ ...mark, ...rest[index] }));

  test.each<[why: string, marks: WriterMark[], ledgers: string[]]>([
    [
      'between commands',
      journal(
        ['a+', 'a+', 'a+', 'a-'],
        ...[mark(1, false), mark(1, true, write('x')), mark(1, false), mark(1, false, write('y'))],
      ),
      ['files x', '', 'files y'],
    ],
    ['no command', journal(['a+', 'a-'], mark(1, false), mark(1, false, write('x'))), ['files x']],
    ['told by nobody', journal(['a+', 'a-']), ['']],
    ['told at its end only', journal(['a+', 'a-'], undefined, mark(1, false)), ['']],
    ['told at its start only', journal(['a+', 'a-'], mark(1, false)), ['']],
    ['still running', journal(['a+', 'b+'], mark(1, false)), ['']],
    ['lost', journal(['a+', 'a!'], mark(1, false), mark(1, false)), ['']],
    ['of another attempt', journal(['a+', 'a+'], mark(1, false), mark(2, false)), ['']],
    [
      'beside a program',
      journal(['a+', 'b+', 'b-', 'a-'], mark(1, false), undefined, undefined, mark(1, false, write('x'))),
      ['files x', 'files x', 'files x'],
    ],
    [
      'over a gap before a command',
      journal(['a+', 'a+?', 'a+', 'a-'], mark(1, false), mark(1, true), mark(1, false), mark(1, false)),
      ['', 'files '],
    ],
    [
      'over a gap without a command',
      journal(['a+', 'a+?', 'a-'], mark(1, false), mark(1, false, write('x')), mark(1, false, write('y'))),
      ['files x,y'],
    ],
  ])('is complete only where no command ran: %s', (_, given, ledgers) => {
    expect(ledgersOf(given)).toEqual(ledgers);
  });

  const ledgers = new Map([[buildWriterKey(writer('a')), [{ path: 'x', before: null, after: hash('1') }]]]);
  const content = (path: string, after = hash('1')) => ({ path, before: null, after });

  test('names the writers that ran while another changed a file', () => {
    const alone = { writers: [writer('a')], unattended: false, ledgers };
    expect(attribute(alone, content('x'), new Map())).toEqual({ by: [writer('a')], orSomebody: false });
    expect(attribute(alone, content('y'), new Map())).toEqual({ by: [], orSomebody: true, during: [writer('a')] });
    const shared = { by: [writer('a')], orSomebody: true, during: [writer('a')] };
    expect(attribute(alone, content('x', hash('2')), new Map())).toEqual(shared);
  });

  test('separates an agent from a program that ran at the same time', () => {
    const beside = { writers: [writer('a'), writer('b')], unattended: false, ledgers };
    expect(attribute(beside, content('x'), new Map()).by).toEqual([writer('a')]);
    expect(attribute(beside, content('y'), new Map()).by).toEqual([writer('b')]);
    expect(attribute(beside, content('x', hash('2')), new Map()).by).toEqual([writer('a'), writer('b')]);
  });
});

describe('the share of file tools in a change', () => {
  const [one, two, three] = [hash('1'), hash('2'), hash('3')];
  const write = (path: string, before: string | null, after: string | null): FileWrite => ({ path, before, after });

  test.each<[why: string, writes: FileWrite[], change: ContentChange, share: Share]>([
    ['a new file', [write('x', null, one)], { path: 'x', before: null, after: one }, 'all'],
    ['written twice', [write('x', one, two), write('x', two, three)], { path: 'x', before: one, after: three }, 'all'],
    [
      'written, then deleted',
      [write('x', one, two), write('x', two, null)],
      { path: 'x', before: one, after: null },
      'all',
    ],
    [
      'told of an older write too',
      [write('x', null, one), write('x', one, two)],
      { path: 'x', before: one, after: two },
      'all',
    ],
    ['changed by another afterwards', [write('x', one, two)], { path: 'x', before: one, after: three }, 'part'],
    ['changed by another before', [write('x', two, three)], { path: 'x', before: one, after: three }, 'part'],
    [
      'changed by another in between',
      [write('x', null, one), write('x', two, three)],
      { path: 'x', before: null, after: three },
      'part',
    ],
    ['deleted by another', [write('x', one, two)], { path: 'x', before: one, after: null }, 'part'],
    ['only its mode', [write('x', one, two)], { path: 'x', before: two, after: two }, 'part'],
    ['another file', [write('x', one, two)], { path: 'xy', before: one, after: two }, 'none'],
    ['nothing written', [], { path: 'x', before: one, after: two }, 'none'],
    ['in a folder that was moved', [write('in', 'folder:1', null)], { path: 'in/x', before: one, after: null }, 'all'],
    ['not comparable', [write('x', one, two)], { path: 'x' }, 'all'],
    ['too large for a hash', [write('x', 'size:1:2', one)], { path: 'x', before: two, after: one }, 'all'],
    ['a folder above a written file', [write('in/x', null, one)], { path: 'in' }, 'all'],
    ['a folder without a written file', [write('x', null, one)], { path: 'in' }, 'none'],
  ])('is %s', (_, writes, change, share) => {
    expect(computeShare(writes, change)).toBe(share);
  });
});

describe('the history of a path', () => {
  const change = (before: string, after: string, ...by: Writer[]): PathChange => ({
    before,
    after,
    by,
    orSomebody: by.length === 0,
  });
  const a = writer('a');
  const b = writer('b');
  const undo: Writer = { task: 't', subtask: null, undo: true };

  test('begins before the first own change and ends after the last, whoever came first', () => {
    const history = foldPathHistory([change('0', '1'), change('1', '2', a), change('2', '3', b)], sideOfTask('t'));
    expect(history).toMatchObject({ first: 1, base: '1', left: '3', unsure: [], foreign: [] });
  });

  test('names later writers, unless they reverted their change', () => {
    const of = sideOfSubtask('t', 'a');
    expect(foldPathHistory([change('', '1', a), change('1', '2', b)], of)?.foreign).toMatchObject([{ by: [b] }]);
    expect(foldPathHistory([change('', '1', a), change('1', '2', b), change('2', '1', b)], of)?.foreign).toEqual([]);
    const between = [change('', '1', a), change('1', '2', b), change('2', '3', a)];
    expect(foldPathHistory(between, of)).toMatchObject({ left: '3', foreign: [{ by: [b] }] });
  });

  test('ends when the path is as it was', () => {
    const done = [change('', '1', a), change('1', '', undo)];
    expect(foldPathHistory(done, sideOfTask('t'))).toBeUndefined();
    expect(foldPathHistory([...done, change('', '9')], sideOfTask('t'))).toBeUndefined();
    expect(foldPathHistory([...done, change('', '9'), change('9', '8', b)], sideOfTask('t'))).toMatchObject({
      base: '9',
    });
  });

  test('is unsure where one of several writers may have made the change, but not between subtasks of the same task', () => {
    const either = [change('', '1', a, b)];
    expect(foldPathHistory(either, sideOfSubtask('t', 'a'))?.unsure).toHaveLength(1);
    expect(foldPathHistory(either, sideOfTask('t'))?.unsure).toEqual([]);
    expect(foldPathHistory([change('', '1', a, writer('x', 'other'))], sideOfTask('t'))?.unsure).toHaveLength(1);
  });
});
