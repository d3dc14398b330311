import { describe, expect, test } from 'vitest';
import { ToolFailures } from '../../../domain/conversation/tool-failures.ts';

type Call = [tool: string, kind: 'reads' | 'mutates', isError: boolean];

const leftAfter = (calls: Call[]): string[] => {
  const failures = new ToolFailures();
  for (const [index, [tool, kind, isError]] of calls.entries())
    failures.note({ call: `${index}.1`, tool, kind, isError, text: 'no such file' });
  return failures.list.flatMap(({ tool, left }) => (left === true ? [tool] : []));
};

describe('a failed tool call', () => {
  test.each<[string, Call[], string[]]>([
    ['is left behind where it was the last', [['shell', 'mutates', true]], ['shell']],
    [
      'is made up for by the same tool',
      [
        ['shell', 'mutates', true],
        ['shell', 'mutates', false],
      ],
      [],
    ],
    [
      'is not made up for by what happened before it',
      [
        ['shell', 'mutates', false],
        ['shell', 'mutates', true],
      ],
      ['shell'],
    ],
    [
      'is not made up for by another kind of tool',
      [
        ['shell', 'mutates', true],
        ['write_file', 'mutates', false],
      ],
      ['shell'],
    ],
    [
      'that writes is made up for by another tool that writes files',
      [
        ['edit_file', 'mutates', true],
        ['write_file', 'mutates', false],
      ],
      [],
    ],
    [
      'that only looked is made up for by whatever worked later',
      [
        ['read_file', 'reads', true],
        ['write_file', 'mutates', false],
      ],
      [],
    ],
    ['that only looked is left behind where nothing worked later', [['read_file', 'reads', true]], ['read_file']],
  ])('%s', (_, calls, left) => {
    expect(leftAfter(calls)).toEqual(left);
  });

  test('counts once, and a result that is logged again changes nothing', () => {
    const failures = new ToolFailures();
    const good = { call: '1.1', tool: 'edit_file', kind: 'mutates', isError: false, text: '' } as const;
    const bad = { call: '1.2', tool: 'edit_file', kind: 'mutates', isError: true, text: 'not there' } as const;
    for (const result of [good, bad, good, bad]) failures.note(result);
    expect(failures.count).toBe(1);
    expect(failures.list).toEqual([{ tool: 'edit_file', calls: 1, last: 'not there', left: true }]);
  });
});
