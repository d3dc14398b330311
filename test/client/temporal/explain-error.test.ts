// A failure from the server as a person reads it: our codes stay, foreign ones are told in their own words.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { fromFailure } from '../../../client/temporal/explain-error.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';

const failure = (type: string | undefined, ...details: unknown[]) =>
  ApplicationFailure.create({ message: 'told', ...(type === undefined ? {} : { type }), details });

test('a code of ours comes back with where, hint and all problems', () => {
  const problem = { code: 'PLAN_CYCLE', message: 'a circle', where: 'p:1:1', hint: 'cut it' } as const;
  const sent = new HeddleError({ code: 'PLAN_INVALID', message: 'several', hint: 'correct' }, [problem]).toJSON();
  const error = fromFailure(failure('PLAN_INVALID', sent), { task: 't', unknown: 'INTERNAL' });
  expect(error.toJSON()).toEqual(sent);
});

test('a type that is no code of ours, or none, is told in the words of the failure', () => {
  const about = { task: 't', unknown: 'TASK_FAILED' } as const;
  expect(fromFailure(failure('FromTomorrow'), about)).toMatchObject({
    code: 'TASK_FAILED',
    message: 'told (FromTomorrow)',
  });
  expect(fromFailure(failure('constructor', null), about)).toMatchObject({ code: 'TASK_FAILED' });
  expect(fromFailure(failure(undefined, 'text'), about)).toMatchObject({ code: 'TASK_FAILED', message: 'told' });
});

test('details of a wrong shape are left out', () => {
  const odd = { message: 5, where: {}, hint: [], problems: [7] };
  const error = fromFailure(failure('TASK_ENDED', odd), { task: 't', unknown: 'INTERNAL' });
  expect(error).toMatchObject({ code: 'TASK_ENDED', message: 'told', where: undefined, hint: undefined });
  expect(error.problems).toHaveLength(1);
});

test('a code that is not in the table does not compile', () => {
  // @ts-expect-error: this is what the table is for.
  expect(new HeddleError({ code: 'NOT_A_CODE', message: 'no' }).message).toBe('no');
});
