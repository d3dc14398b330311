import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAnswer, checkPause, checkResume, checkSteering } from '../../../domain/messages/validate-message.ts';
import { buildOptions } from '../../../domain/decisions/options/decision-kinds.ts';
import type { Decision } from '../../../domain/types/decision.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { newState, type TaskState } from '../../../domain/task/state.ts';
import { Driver } from '../attempt/support-driver.ts';
import { budgetQuestionOf, failureOf, stateOf, subtask, t0 } from '../support-task.ts';

/* Which messages of people are taken, and what an answer leaves for the next attempt. */

const plan = () => [subtask('a'), subtask('b', { dependsOn: ['a'] }), subtask('c', { dependsOn: ['b'] })];

function asked(failure: Partial<Failure> = {}): Driver {
  const driver = new Driver(stateOf(plan()), t0);
  driver.begin('a');
  driver.fail('a', failureOf({ category: 'blocked', type: 'blocked', ...failure }));
  return driver;
}

const questionOf = (driver: Driver): Decision => driver.state.decisions.open[0]!;

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof HeddleError) return error.code;
    throw error;
  }
  return 'taken';
};

function budgetAsked(): TaskState {
  const driver = new Driver(stateOf([subtask('a')], { budget: { tokens: 100 } }), t0);
  driver.begin('a');
  driver.fail('a', failureOf(), { tokens: 100 });
  return driver.state;
}

function timeAsked(): TaskState {
  const driver = new Driver(stateOf([subtask('a')], { budget: { wallClock: 60_000 } }), t0);
  const decision = budgetQuestionOf({
    id: 'budget-wallClock-1',
    budget: 'wallClock',
    options: buildOptions('budget', { key: 'wallClock', name: 'time' }),
  });
  driver.record({ type: 'decision.opened', decision });
  return driver.state;
}

function approvalAsked(): TaskState {
  const driver = new Driver(stateOf([subtask('a')], { approval: { mode: 'manual', at: 1, onTimeout: 'wait' } }), t0);
  driver.begin('a');
  driver.pass('a');
  return driver.state;
}

function answeredOnce(): TaskState {
  const driver = asked();
  driver.answer({ decisionId: 'a-1', option: 'retry', by: 'ana' });
  return driver.state;
}

function endedTask(): TaskState {
  const driver = asked();
  driver.stop('enough');
  driver.endCancelled();
  return driver.state;
}

describe('checkAnswer', () => {
  const open = (): TaskState => asked().state;
  const rows: [what: string, state: () => TaskState, payload: unknown, code: string][] = [
    ['an answer', open, { decisionId: 'a-1', option: 'retry' }, 'taken'],
    [
      'an answer with everything',
      open,
      { decisionId: 'a-1', option: 'fix', instruction: 'x', scope: 'signature', by: 'ana' },
      'taken',
    ],
    [
      'null where something is optional',
      open,
      { decisionId: 'a-1', option: 'retry', instruction: null, by: null },
      'taken',
    ],
    ['no object', open, 'retry', 'MESSAGE_INVALID'],
    ['nothing', open, undefined, 'MESSAGE_INVALID'],
    ['a list', open, [{ decisionId: 'a-1', option: 'retry' }], 'MESSAGE_INVALID'],
    ['an unknown field', open, { decisionId: 'a-1', option: 'retry', force: true }, 'MESSAGE_INVALID'],
    [
      'a field that JavaScript keeps for itself',
      open,
      JSON.parse('{"__proto__":{},"decisionId":"a-1","option":"retry"}'),
      'MESSAGE_INVALID',
    ],
    ['no decision', open, { option: 'retry' }, 'MESSAGE_INVALID'],
    ['no option', open, { decisionId: 'a-1', option: ' ' }, 'MESSAGE_INVALID'],
    ['a number for text', open, { decisionId: 'a-1', option: 5 }, 'MESSAGE_INVALID'],
    ['an unknown scope', open, { decisionId: 'a-1', option: 'retry', scope: 'always' }, 'MESSAGE_INVALID'],
    [
      'too long an instruction',
      open,
      { decisionId: 'a-1', option: 'fix', instruction: 'x'.repeat(limits.instruction + 1) },
      'MESSAGE_INVALID',
    ],
    [
      'too large a value',
      open,
      { decisionId: 'a-1', option: 'fix', value: { x: 'x'.repeat(limits.instruction) } },
      'MESSAGE_INVALID',
    ],
    ['an unknown decision', open, { decisionId: 'b-1', option: 'retry' }, 'DECISION_NOT_FOUND'],
    ['__proto__', open, { decisionId: '__proto__', option: 'retry' }, 'DECISION_NOT_FOUND'],
    ['constructor', open, { decisionId: 'constructor', option: 'retry' }, 'DECISION_NOT_FOUND'],
    ['an unknown option', open, { decisionId: 'a-1', option: 'approve' }, 'DECISION_UNKNOWN_OPTION'],
    ['constructor as an option', open, { decisionId: 'a-1', option: 'constructor' }, 'DECISION_UNKNOWN_OPTION'],
    [
      '"fix" without an instruction',
      open,
      { decisionId: 'a-1', option: 'fix', instruction: '  ' },
      'DECISION_NEEDS_INSTRUCTION',
    ],
    ['a second answer', answeredOnce, { decisionId: 'a-1', option: 'skip' }, 'DECISION_ALREADY_ANSWERED'],
    ['the same answer again', answeredOnce, { decisionId: 'a-1', option: 'retry' }, 'DECISION_ALREADY_ANSWERED'],
    ['an ended task', endedTask, { decisionId: 'a-1', option: 'retry' }, 'TASK_ENDED'],
    ['"edit" without a change', approvalAsked, { decisionId: 'a-1', option: 'edit' }, 'DECISION_NEEDS_INSTRUCTION'],
    ['"edit" with a value', approvalAsked, { decisionId: 'a-1', option: 'edit', value: { title: 'x' } }, 'taken'],
    ['"raise" without a value', budgetAsked, { decisionId: 'budget-tokens-1', option: 'raise' }, 'taken'],
    ['"raise" by a number', budgetAsked, { decisionId: 'budget-tokens-1', option: 'raise', value: 500 }, 'taken'],
    [
      '"raise" by a number in quotation marks',
      budgetAsked,
      { decisionId: 'budget-tokens-1', option: 'raise', value: '500' },
      'taken',
    ],
    [
      '"raise" to no more than before',
      budgetAsked,
      { decisionId: 'budget-tokens-1', option: 'raise', value: 100 },
      'MESSAGE_INVALID',
    ],
    [
      '"raise" by words',
      budgetAsked,
      { decisionId: 'budget-tokens-1', option: 'raise', value: 'more' },
      'MESSAGE_INVALID',
    ],
    [
      '"raise" of time by a duration',
      timeAsked,
      { decisionId: 'budget-wallClock-1', option: 'raise', value: '2h' },
      'taken',
    ],
    [
      '"raise" of time by too little',
      timeAsked,
      { decisionId: 'budget-wallClock-1', option: 'raise', value: '30s' },
      'MESSAGE_INVALID',
    ],
  ];
  test.each(rows)('%s', (_, state, payload, code) => {
    expect(codeOf(() => checkAnswer(state(), payload, t0))).toBe(code);
  });

  test('says who answered first, with what and when', () => {
    expect(() => checkAnswer(answeredOnce(), { decisionId: 'a-1', option: 'skip' }, t0)).toThrow(
      `a-1 was already answered by ana with retry at ${new Date(t0).toISOString()}`,
    );
  });

  test('names what is open and what may be chosen', () => {
    const hintOf = (payload: unknown): string | undefined => {
      try {
        checkAnswer(asked().state, payload, t0);
      } catch (error) {
        return error instanceof HeddleError ? error.hint : undefined;
      }
      return undefined;
    };
    expect(hintOf({ decisionId: 'x', option: 'retry' })).toBe('Open: a-1.');
    expect(hintOf({ decisionId: 'a-1', option: 'x' })).toBe('Options: retry, fix, simpler, skip, skip-branch, abort.');
  });

  test('repeats only a little of what it refuses', () => {
    const key = `evil\n${'x'.repeat(100_000)}`;
    try {
      checkAnswer(asked().state, { [key]: 1 }, t0);
      expect.unreachable();
    } catch (error) {
      expect(String(error).length).toBeLessThan(200);
      expect(String(error)).not.toContain('\n');
    }
  });

  test('never throws anything but a refusal, and never changes the state', () => {
    const state = asked().state;
    const before = JSON.stringify(state);
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('a-1', 'x', '__proto__'),
        fc.anything(),
        (payload, decisionId, value) => {
          codeOf(() => checkAnswer(state, payload, t0));
          codeOf(() => checkSteering(state, payload));
          codeOf(() => checkPause(payload));
          codeOf(() => checkResume(payload));
          codeOf(() => checkAnswer(state, { decisionId, option: 'retry', by: value }, t0));
          expect(JSON.stringify(state)).toBe(before);
        },
      ),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('checkSteering, checkPause and checkResume', () => {
  const steer = (payload: unknown, state: TaskState = asked().state): string =>
    codeOf(() => checkSteering(state, payload));

  test('take what the contract names and refuse the rest', () => {
    expect(steer({ text: 'be brief' })).toBe('taken');
    expect(steer({ text: 'be brief', subtask: 'b', by: 'ana' })).toBe('taken');
    expect(steer({ text: 'x' }, newState('x', 'g', t0))).toBe('taken');
    expect(steer({ text: '' })).toBe('MESSAGE_INVALID');
    expect(steer({ text: 'x'.repeat(limits.steering + 1) })).toBe('MESSAGE_INVALID');
    expect(steer({ text: 'x', task: 'b' })).toBe('MESSAGE_INVALID');
    expect(steer({ text: 'x', subtask: 'z' })).toBe('SUBTASK_NOT_FOUND');
    expect(steer({ text: 'x', subtask: '__proto__' })).toBe('SUBTASK_NOT_FOUND');
    expect(steer({ text: 'x', subtask: 'constructor' })).toBe('SUBTASK_NOT_FOUND');
    expect(steer({ text: 'x' }, endedTask())).toBe('TASK_ENDED');
    expect(checkSteering(asked().state, { text: 'x', subtask: null })).toEqual({ text: 'x' });
  });

  test('refuse a steering text when there is no room for it, and drop none', () => {
    const driver = new Driver(stateOf(plan()), t0);
    const give = (subtask?: string): string => {
      const payload = { text: 'x', ...(subtask === undefined ? {} : { subtask }) };
      const code = codeOf(() => checkSteering(driver.state, payload));
      if (code === 'taken') driver.record({ type: 'task.steered', ...payload });
      return code;
    };
    for (let n = 0; n < limits.steeringTexts; n += 1) expect(give('a')).toBe('taken');
    expect(give('a')).toBe('STEERING_FULL');
    expect([give('b'), give()]).toEqual(['taken', 'taken']);
    expect(driver.state.control.steering).toHaveLength(limits.steeringTexts + 2);
  });

  test('take a pause and a resume with or without words', () => {
    expect(checkPause({ reason: 'freeze' })).toEqual({ reason: 'freeze' });
    expect(checkPause(undefined)).toEqual({});
    expect(codeOf(() => checkPause({ reason: 5 }))).toBe('MESSAGE_INVALID');
    expect(codeOf(() => checkPause('now'))).toBe('MESSAGE_INVALID');
    expect(codeOf(() => checkResume({}))).toBe('taken');
    expect(codeOf(() => checkResume(undefined))).toBe('taken');
    expect(codeOf(() => checkResume({ now: true }))).toBe('MESSAGE_INVALID');
  });
});

describe('what an answer leaves for the next attempt', () => {
  const guidanceAfter = (driver: Driver, payload: object): string[] => {
    driver.answer({ decisionId: questionOf(driver).id, ...payload });
    return subtaskOf(driver.state, 'a').guidance;
  };

  test('is the instruction, or what the option means', () => {
    expect(guidanceAfter(asked(), { option: 'fix', instruction: 'use the other key' })).toEqual(['use the other key']);
    expect(guidanceAfter(asked(), { option: 'retry' })).toEqual([]);
    expect(guidanceAfter(asked(), { option: 'simpler' })[0]).toContain('only the core');
    const auth = asked({ type: 'auth', category: 'never-retry' });
    expect(guidanceAfter(auth, { option: 'provide-credentials', value: 'in GH_TOKEN' })).toEqual([
      'The credentials are available now: in GH_TOKEN',
    ]);
  });

  test('is the reason of a rejection, and a change as text or as data', () => {
    const approval = (): Driver => new Driver(approvalAsked(), t0);
    expect(guidanceAfter(approval(), { option: 'reject', instruction: 'wrong tone' })).toEqual([
      'The last result was not accepted. Reason: wrong tone',
    ]);
    expect(guidanceAfter(approval(), { option: 'edit', value: 'shorter' })).toEqual(['shorter']);
    expect(guidanceAfter(approval(), { option: 'edit', value: { title: 'x' } })).toEqual(['{"title":"x"}']);
  });

  test('is bounded: the newest answers are kept', () => {
    const driver = asked();
    for (let turn = 1; turn <= limits.guidanceTexts + 3; turn += 1) {
      driver.answer({ decisionId: `a-${turn}`, option: 'fix', instruction: `try ${turn}` });
      driver.begin('a');
      driver.fail('a', failureOf({ category: 'blocked', type: 'blocked' }));
    }
    const { guidance } = subtaskOf(driver.state, 'a');
    expect(guidance).toHaveLength(limits.guidanceTexts);
    expect(guidance.at(-1)).toBe(`try ${limits.guidanceTexts + 3}`);
  });

  test('is a higher limit for a budget: the one given, or twice the old one', () => {
    const budgetAfter = (state: TaskState, payload: object): TaskState['budget']['limits'] => {
      const driver = new Driver(state, t0);
      const { id } = questionOf(driver);
      driver.answer({ decisionId: id, option: 'raise', ...payload });
      return driver.state.budget.limits;
    };
    expect(budgetAfter(budgetAsked(), {})).toEqual({ tokens: 200 });
    expect(budgetAfter(budgetAsked(), { value: 1_000 })).toEqual({ tokens: 1_000 });
    expect(budgetAfter(timeAsked(), { value: '2h' })).toEqual({ wallClock: 7_200_000 });
  });
});
