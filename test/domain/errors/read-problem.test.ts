// A problem that another process wrote: what fits is taken, what does not is left out.
import { expect, test } from 'vitest';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { readProblem } from '../../../domain/errors/read-problem.ts';

test('a written HeddleError is read back', () => {
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
  '%j is read as an empty problem',
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

test('an unknown code keeps its message, and is shown in a list too', () => {
  const written = { code: 'FROM_TOMORROW', message: 'new', problems: [{ code: 'ALSO_NEW', message: 'inner' }, null] };
  expect(readProblem(written)).toMatchObject({
    code: undefined,
    message: 'new',
    problems: [
      { code: 'INTERNAL', message: 'inner' },
      { code: 'INTERNAL', message: 'a problem that this version does not know' },
    ],
  });
});
