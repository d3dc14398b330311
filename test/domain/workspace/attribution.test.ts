// Who changed a file: by the interval, narrowed by what was declared; and what is left of it after others, and after undos.
import { describe, expect, it } from 'vitest';
import { attribute, declarations, splitIntervals, type Mark } from '../../../domain/workspace/attribution.ts';
import { sideOfSubtask, sideOfTask, tellStory, type PathChange } from '../../../domain/workspace/path-story.ts';
import type { Writer } from '../../../domain/model/workspace.ts';

const writer = (subtask: string, task = 't'): Writer => ({ task, subtask, undo: false });

/** `a+` starts a, `a-` ends it, `a!` loses it; `?` after it: the snapshot failed. */
function marks(...texts: string[]): Mark[] {
  return texts.map((text, index) => {
    const isGap = text.endsWith('?');
    const sign = isGap ? text.at(-2) : text.at(-1);
    const moment = sign === '+' ? 'start' : sign === '-' ? 'end' : 'lost';
    const subtask = text.replace(/[+!?-]+$/, '');
    const kept = { tree: isGap ? null : `tree-${index}`, gap: isGap ? 'why' : null };
    return { seq: index, at: index, moment, writer: writer(subtask), attempt: 1, declared: [], ...kept };
  });
}

const sayIntervals = (...texts: string[]): string[] =>
  splitIntervals(marks(...texts)).intervals.map(
    ({ writers, unattended }) => writers.map(({ subtask }) => subtask).join('|') + (unattended ? '~' : ''),
  );

describe('intervals', () => {
  it('belong to those who ran in them', () => {
    expect(sayIntervals('a+', 'a-', 'b+', 'c+', 'b-', 'c-')).toEqual(['a', '~', 'b', 'b|c', 'c']);
  });

  it('go on through a second start, and end when their writer is lost', () => {
    expect(sayIntervals('a+', 'a+', 'a-')).toEqual(['a', 'a']);
    expect(sayIntervals('a+', 'b+', 'a!', 'b-')).toEqual(['a', 'a|b', 'b']);
  });

  it('are joined over a gap: everybody who ran in any part of it, and nobody where nobody ran', () => {
    expect(sayIntervals('a+', 'b+?', 'a-', 'b-')).toEqual(['a|b', 'b']);
    expect(sayIntervals('a+', 'a-', 'b+?', 'b-')).toEqual(['a', 'b~']);
    expect(sayIntervals('a+', 'a-?', 'b+', 'b-')).toEqual(['a~', 'b']);
  });

  it('are doubtful where an end has no start', () => {
    expect(sayIntervals('a+', 'a-', 'b-')).toEqual(['a', 'b~']);
  });

  it('tell who ran when no snapshot had worked yet', () => {
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

  it('is narrowed by declared files and folders, not by names that only begin alike', () => {
    const by = (path: string): (string | null)[] => attribute(both, path, declared).by.map(({ subtask }) => subtask);
    expect(by('out')).toEqual(['a']);
    expect(by('out/in/side')).toEqual(['a']);
    expect(by('outer')).toEqual(['b']);
    expect(by('deep/file')).toEqual(['a']);
    expect(by('deep')).toEqual(['a', 'b']);
    expect(by('neither')).toEqual(['a', 'b']);
  });

  it('stays doubtful where nobody may have run, whatever was declared', () => {
    expect(attribute({ ...both, unattended: true }, 'out', declared)).toEqual({ by: [writer('a')], orSomebody: true });
    expect(attribute({ writers: [], unattended: true }, 'out', declared)).toEqual({ by: [], orSomebody: true });
  });

  it('gives an undo what it named and nothing else', () => {
    const undo: Writer = { task: 't', subtask: null, undo: true };
    const all = declarations([
      ...marks('a+'),
      ...marks('u+').map((mark) => ({ ...mark, writer: undo, declared: ['f'] })),
    ]);
    const interval = { writers: [writer('a'), undo], unattended: false };
    expect(attribute(interval, 'f', all).by).toEqual([undo]);
    expect(attribute(interval, 'g', all).by).toEqual([writer('a')]);
    expect(attribute({ writers: [undo], unattended: false }, 'g', all).by).toEqual([]);
  });
});

describe('the story of a path', () => {
  const change = (before: string, after: string, ...by: Writer[]): PathChange => ({
    before,
    after,
    by,
    orSomebody: by.length === 0,
  });
  const a = writer('a');
  const b = writer('b');
  const undo: Writer = { task: 't', subtask: null, undo: true };

  it('goes from before the first change of one’s own to after the last, whoever was there first', () => {
    const story = tellStory([change('0', '1'), change('1', '2', a), change('2', '3', b)], sideOfTask('t'));
    expect(story).toMatchObject({ first: 1, base: '1', left: '3', unsure: [], foreign: [] });
  });

  it('names those who came after, unless they took it back', () => {
    const of = sideOfSubtask('t', 'a');
    expect(tellStory([change('', '1', a), change('1', '2', b)], of)?.foreign).toMatchObject([{ by: [b] }]);
    expect(tellStory([change('', '1', a), change('1', '2', b), change('2', '1', b)], of)?.foreign).toEqual([]);
    const between = [change('', '1', a), change('1', '2', b), change('2', '3', a)];
    expect(tellStory(between, of)).toMatchObject({ left: '3', foreign: [{ by: [b] }] });
  });

  it('is over when the path is again as it was', () => {
    const done = [change('', '1', a), change('1', '', undo)];
    expect(tellStory(done, sideOfTask('t'))).toBeUndefined();
    expect(tellStory([...done, change('', '9')], sideOfTask('t'))).toBeUndefined();
    expect(tellStory([...done, change('', '9'), change('9', '8', b)], sideOfTask('t'))).toMatchObject({ base: '9' });
  });

  it('is unsure where one of several may have done it, but not between subtasks of the same task', () => {
    const either = [change('', '1', a, b)];
    expect(tellStory(either, sideOfSubtask('t', 'a'))?.unsure).toHaveLength(1);
    expect(tellStory(either, sideOfTask('t'))?.unsure).toEqual([]);
    expect(tellStory([change('', '1', a, writer('x', 'other'))], sideOfTask('t'))?.unsure).toHaveLength(1);
  });
});
