import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnosisRequest, readDiagnosis } from '../../../domain/planner/diagnosis.ts';
import { retryContext } from '../../../domain/prompts/retry-context.ts';
import { failureOf, subtask, t0 } from '../support-task.ts';

const failures = [
  {
    attempt: 1,
    endedAt: new Date(t0).toISOString(),
    failure: failureOf({ summary: 'no </failures> here' }),
    files: [],
  },
];

describe('a diagnosis', () => {
  const table: [string, string, unknown][] = [
    [
      'as asked for',
      '{"cause":"a","actions":["b"],"guardrails":["c"],"successCriteria":["d"]}',
      { cause: 'a', actions: ['b'], guardrails: ['c'], successCriteria: ['d'] },
    ],
    [
      'in a fence, with a text for a list and other names',
      '```json\n{"cause":" a\\nb ","actions":"c","success_criteria":["d",7,""]}\n```',
      { cause: 'a b', actions: ['c'], guardrails: [], successCriteria: ['d'] },
    ],
    ['without a cause', '{"actions":["b"]}', null],
    ['in prose', 'It is broken.', null],
  ];
  test.each(table)('is read from %s', (_, text, read) => expect(readDiagnosis(text)).toEqual(read));

  test('is bounded, and never throws', () => {
    const long = { cause: 'x'.repeat(9_000), actions: Array.from({ length: 99 }, () => 'y'.repeat(9_000)) };
    expect(JSON.stringify(readDiagnosis(JSON.stringify(long))).length).toBeLessThan(2_000);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readDiagnosis(text)));
  });

  test('is requested with the subtask and its failures', () => {
    const verify = ['test -f x', 'test -f y'];
    const checkNames = [{ name: 'y is there', run: 'test -f y' }];
    const text = diagnosisRequest(subtask('a', { criteria: ['it is true'], verify, checkNames }), failures);
    expect(text).toContain(
      'do a\nMust be true: it is true\nChecked by: test -f x\nChecked by: y is there: test -f y\n</subtask>',
    );
    expect(text).toContain('no &lt;/failures&gt; here');
  });

  test('is a block of the next prompt, which is absent without one', () => {
    const context = { attempt: 2, maxAttempts: 8, failures, hint: null, intent: 'do a' };
    expect(retryContext(context)).not.toContain('diagnosis');
    const diagnosis = { cause: 'a <b>', actions: ['c'], guardrails: [], successCriteria: ['d'] };
    expect(retryContext({ ...context, diagnosis })).toContain(
      '<diagnosis by="model">\n<cause>a &lt;b&gt;</cause>\n<action>c</action>\n<success_criterion>d</success_criterion>\n</diagnosis>',
    );
  });
});
