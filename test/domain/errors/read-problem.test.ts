// A problem that another process wrote: what fits is taken, what does not is left out.
import { expect, test } from 'vitest';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { readProblem } from '../../../domain/errors/read-problem.ts';

test('what HeddleError writes is read back', () => {
  const inner = { code: 'PLAN_CYCLE', message: 'a circle', where: 'p:1:1', hint: 'cut it' } as const;
  const error = new HeddleError({ code: 'PLAN_INVALID', message: 'several', where: 'p', hint: 'correct' }, [inner]);
  expect(readProblem(JSON.parse(JSON.stringify(error)))).toEqual({
    code: 'PLAN_INVALID',
    message: 'several',
    where: 'p',
    hint: 'correct',
    problems: [inner],
  });
});

test.each([undefined, null, 5, 'text', [], { code: 5, message: {}, where: [], hint: true, problems: 'no' }])(
  'nothing is taken from %j',
  (value) => {
    expect(readProblem(value)).toEqual({
      code: undefined,
      message: undefined,
      where: undefined,
      hint: undefined,
      problems: [],
    });
  },
);

test('a code of another version keeps its words, and one of several is shown all the same', () => {
  const told = { code: 'FROM_TOMORROW', message: 'new', problems: [{ code: 'ALSO_NEW', message: 'inner' }, null] };
  expect(readProblem(told)).toMatchObject({
    code: undefined,
    message: 'new',
    problems: [
      { code: 'INTERNAL', message: 'inner' },
      { code: 'INTERNAL', message: 'a problem that this version does not know' },
    ],
  });
});
