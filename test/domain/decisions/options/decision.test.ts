import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildOptions } from '../../../../domain/decisions/options/decision-kinds.ts';
import type { Decision, DecisionOption } from '../../../../domain/types/decision.ts';
import { escalation } from '../../../../domain/decisions/escalate.ts';
import type { Failure } from '../../../../domain/types/basic/failure.ts';
import { failureTypes } from '../../../../domain/types/basic/failure-types.ts';
import { strategies } from '../../../../domain/failure/recovery-strategies.ts';
import { Driver } from '../../attempt/support-driver.ts';
import { failureOf, stateOf, subtask, t0 } from '../../support-task.ts';

/* Questions to a person: their words and their choices. */

const ids = (options: readonly DecisionOption[]): string[] => options.map(({ id }) => id);
const option = (decision: Decision, id: string): DecisionOption => decision.options.find((one) => one.id === id)!;

const plan = () => [subtask('a'), subtask('b', { dependsOn: ['a'] }), subtask('c', { dependsOn: ['b'] })];

function asked(failure: Partial<Failure> = {}, subtasks = plan()): Driver {
  const driver = new Driver(stateOf(subtasks), t0);
  driver.begin('a');
  driver.fail('a', failureOf({ category: 'blocked', type: 'blocked', ...failure }));
  return driver;
}

const questionOf = (driver: Driver): Decision => driver.state.decisions.open[0]!;
const question = (failure: Partial<Failure> = {}, subtasks = plan()): Decision => questionOf(asked(failure, subtasks));

describe('the options of an escalation', () => {
  test('let a person try again, change it, go on without it or stop', () => {
    expect(ids(question().options)).toEqual(['retry', 'fix', 'simpler', 'skip', 'skip-branch', 'abort']);
  });

  test('offer to leave out the branch only where there is one', () => {
    expect(ids(question({}, [subtask('a')]).options)).toEqual(['retry', 'fix', 'simpler', 'skip', 'abort']);
  });

  test('offer credentials in place of a simpler version where they are missing', () => {
    const auth = question({ type: 'auth', category: 'never-retry' });
    expect(ids(auth.options)).toEqual(['retry', 'fix', 'provide-credentials', 'skip', 'skip-branch', 'abort']);
    expect(auth.recommendation).toBe('provide-credentials');
    expect(option(auth, 'provide-credentials').consequence).toContain('never the secret');
  });

  test('are 2 to 7, each with its own id, a label and a consequence, and hold the recommended one', () => {
    for (const type of failureTypes) {
      const decision = question({ type, category: type === 'environment' ? 'never-retry' : 'blocked' });
      expect(new Set(ids(decision.options)).size).toBe(decision.options.length);
      expect(ids(decision.options)).toContain(decision.recommendation);
    }
    for (const options of [
      question().options,
      buildOptions('approval', { subtask: 'a' }),
      buildOptions('plan', { subtasks: 3 }),
      buildOptions('budget', { key: 'costUsd', name: 'cost' }),
    ]) {
      expect(options.length).toBeGreaterThanOrEqual(2);
      expect(options.length).toBeLessThanOrEqual(7);
      for (const { label, consequence } of options) expect(label !== '' && consequence !== '').toBe(true);
    }
  });

  test('name who depends on it and what is left out', () => {
    const decision = question();
    expect(option(decision, 'skip').consequence).toBe(
      'a is skipped; b will run and be told that its result is missing.',
    );
    expect(option(decision, 'skip-branch').consequence).toBe(
      'a and 2 subtasks that depend on it (b and c) are skipped.',
    );
    expect(option(question({}, [subtask('a')]), 'skip').consequence).toBe('a is skipped; nothing depends on it.');
  });

  test('say what can be undone', () => {
    expect(
      question()
        .options.filter(({ reversible }) => !reversible)
        .map(({ id }) => id),
    ).toEqual(['skip', 'skip-branch', 'abort']);
  });

  test('say how many attempts another try may take', () => {
    expect(option(question(), 'retry').consequence).toContain('up to 10 more attempts');
    const driver = new Driver(stateOf([subtask('a')]), t0);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      driver.begin('a');
      driver.fail('a', failureOf());
    }
    expect(option(questionOf(driver), 'fix').consequence).toContain('up to 3 more attempts');
  });

  test('say what an attempt has cost so far, in money and in minutes', () => {
    const driver = new Driver(stateOf([subtask('a', { maxAttempts: 2 })]), t0);
    for (const costUsd of [0.02, 0.06]) {
      driver.begin('a');
      driver.now += 90_000;
      const record = driver.state.log.records.at(-1);
      if (record !== undefined) record.used = { costUsd, tokens: 0 };
      driver.fail('a', failureOf());
    }
    expect(option(questionOf(driver), 'retry').consequence).toContain(
      'more attempts, about 0.04 USD and 1 min 30 s each.',
    );
    expect(option(question(), 'retry').consequence).toMatch(/more attempts\.$/);
  });
});

describe('an option tells a program', () => {
  test('what it needs: words, or a value of one form', () => {
    const needs = (options: readonly DecisionOption[]) => options.map(({ id, needs }) => [id, needs]);
    expect(needs(question().options)).toEqual([
      ['retry', undefined],
      ['fix', { words: 'what to do differently' }],
      ...['simpler', 'skip', 'skip-branch', 'abort'].map((id) => [id, undefined]),
    ]);
    expect(needs(buildOptions('gated-check', { subtask: 'a' }))[1]).toEqual([
      'edit',
      { value: { form: 'command', say: 'the new command as one JSON object', example: '{"command":"..."}' } },
    ]);
  });

  test('what it may use, by the mean of the attempts so far', () => {
    const driver = new Driver(stateOf([subtask('a', { maxAttempts: 2 })]), t0);
    for (const costUsd of [0.02, 0.06]) {
      driver.begin('a');
      driver.now += 5_000;
      const record = driver.state.log.records.at(-1);
      if (record !== undefined) record.used = { costUsd, tokens: 0 };
      driver.fail('a', failureOf());
    }
    expect(option(questionOf(driver), 'retry').cost).toMatchObject({ usd: 0.04, ms: 5_000 });
    expect(option(question(), 'retry').cost).toMatchObject({ usd: null, ms: null });
    expect(option(questionOf(driver), 'abort').cost).toBeUndefined();
  });

  test('the subtasks that it runs and skips', () => {
    expect(option(question(), 'retry').affects).toEqual({ runs: ['a'], skips: [] });
    expect(option(question(), 'skip').affects).toEqual({ runs: ['b'], skips: ['a'] });
    expect(option(question(), 'skip-branch').affects).toEqual({ runs: [], skips: ['a', 'b', 'c'] });
    const many = Array.from({ length: 30 }, (_, index) => subtask(`s${index}`, { dependsOn: ['a'] }));
    const { affects } = option(question({}, [subtask('a'), ...many]), 'skip');
    expect(affects).toMatchObject({ skips: ['a'], more: 10 });
    expect(affects?.runs).toHaveLength(20);
  });
});

describe('the problem of an escalation', () => {
  const plain = (text: string): void => {
    expect(text).not.toMatch(/[`\n]/);
    expect(text).not.toMatch(/(?:^|[\s(])(?:[A-Za-z]:)?[\\/][\w.-]+[\\/]/);
    expect(text).not.toMatch(/\bat \S+ \(.*:\d+:\d+\)|Traceback|line \d+, in/);
  };

  test('says in plain English what happened and how often; what the program said is in what was tried', () => {
    const driver = new Driver(stateOf([subtask('deploy')]), t0);
    const failure = failureOf({ type: 'timeout', summary: 'It did not finish within 30 s.' });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      driver.now += 60_000;
      driver.begin('deploy');
      driver.fail('deploy', failure);
    }
    const { problem, tried, openedAt, deadline, onTimeout, signature, id } = questionOf(driver);
    expect(problem).toBe('deploy did not finish within its time limit after 4 attempts.');
    expect(tried).toHaveLength(4);
    expect(tried[3]).toBe('Attempt 4, tier 3 with thinking, failed in 0 s: It did not finish within 30 s.');
    expect({ openedAt, deadline, onTimeout, signature, id }).toEqual({
      openedAt: new Date(driver.now).toISOString(),
      deadline: null,
      onTimeout: 'wait',
      signature: failure.signature,
      id: 'deploy-1',
    });
  });

  test.each<[string, Partial<Failure>, string]>([
    [
      'an error of the program',
      { type: 'tool-failed', summary: "TypeError: Cannot read properties of undefined (reading 'map')" },
      'a ended with an error.',
    ],
    [
      'a cause that a rule knows',
      { type: 'environment', summary: 'ENOSPC: no space left', rootCause: 'The disk is full.' },
      'a cannot work because of a problem with the machine or the network. The disk is full.',
    ],
    [
      'a cause that says no more than the type',
      { type: 'timeout', rootCause: strategies.timeout.cause },
      'a did not finish within its time limit.',
    ],
    ['a type without words', { type: 'unknown', summary: 'exit -1' }, 'a failed.'],
    [
      'a program that reports itself as blocked',
      { type: 'blocked', summary: 'Which channel should it go to?' },
      'a reports that it cannot continue. Its reason: Which channel should it go to?',
    ],
  ])('of %s', (_what, failure, problem) => {
    expect(question(failure).problem).toBe(problem);
  });

  test.each<[string, Partial<Failure>, string]>([
    [
      'an error by its name',
      {
        type: 'tool-failed',
        summary: "TypeError: Cannot read properties of undefined (reading 'map') (it exited with code 1)",
      },
      'It ended with an error (it exited with code 1).',
    ],
    [
      'an error of a compiler',
      { type: 'tool-failed', summary: 'src/a.ts:3:7 - error TS2322: Type' },
      'It ended with an error.',
    ],
    [
      'an error of a shell',
      { type: 'context-missing', summary: 'sh: 1: frob: not found (it exited with code 127)' },
      'It needs a program, a file or a setting that is missing (it exited with code 127).',
    ],
    ['an error of npm', { type: 'tool-failed', summary: 'npm ERR! missing script: build' }, 'It ended with an error.'],
    ['code', { type: 'tool-failed', summary: 'assert(x === 3)' }, 'It ended with an error.'],
    [
      'the JSON of a service',
      { type: 'auth', summary: '{"error":{"type":"authentication_error"}}' },
      'It needs credentials or settings that are missing or not accepted.',
    ],
    [
      'a name of the system, with its cause',
      { type: 'environment', summary: 'ENOSPC: no space left', rootCause: 'The disk is full.' },
      'It cannot work because of a problem with the machine or the network. The disk is full.',
    ],
    [
      'plain words of a program',
      { type: 'tool-failed', summary: 'cannot open file.txt (it exited with code 1)' },
      'cannot open file.txt (it exited with code 1)',
    ],
    [
      'a check',
      { type: 'verification-failed', summary: '`test -f "$OUT"` exited with code 1.' },
      'test -f "$OUT" exited with code 1.',
    ],
    [
      'a program that is blocked',
      { type: 'blocked', summary: 'Which channel should it go to?' },
      'Which channel should it go to?',
    ],
  ])('has plain words in what was tried for %s', (_what, failure, words) => {
    expect(
      question(failure)
        .tried.at(-1)
        ?.replace(/^Attempt 1, .*?, failed in \d+ s: /, ''),
    ).toBe(words);
  });

  test('keeps the raw line one step away, in the failure of the attempt', () => {
    const summary = "TypeError: Cannot read properties of undefined (reading 'map')";
    const driver = new Driver(stateOf([subtask('a')]), t0);
    driver.begin('a');
    driver.fail('a', failureOf({ type: 'tool-failed', summary }));
    expect(driver.state.subtasks['a']?.failures.at(-1)?.failure.summary).toBe(summary);
  });

  test('says that all attempts are used when that is why', () => {
    const decision = escalation(new Driver(stateOf([subtask('a')]), t0), 'a', failureOf(), 'max-attempts');
    expect(decision.problem).toContain('All its attempts are used.');
  });

  test('has no stack, no absolute path and no code', () => {
    const summary =
      'Cannot open `/home/ana/work/x.ts` at read (/srv/app/lib/read.js:10:5) at async main (/srv/app/main.js:1:1) C:\\work\\y.txt';
    const decision = question({ summary });
    plain(decision.problem);
    for (const line of decision.tried) plain(line);
    expect(decision.tried.join()).toContain('x.ts');
  });

  test('is bounded, whatever was said', () => {
    fc.assert(
      fc.property(fc.constantFrom(...failureTypes), fc.string({ unit: 'binary', maxLength: 800 }), (type, summary) => {
        const decision = escalation(
          new Driver(stateOf([subtask('a')]), t0),
          'a',
          failureOf({ type, summary }),
          'ladder',
        );
        expect(decision.problem.length).toBeLessThanOrEqual(400);
        expect(decision.problem).not.toMatch(/[`\u0000-\u001f]/);
      }),
    );
  });
});
