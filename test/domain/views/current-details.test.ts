import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../../domain/messages/validate-message.ts';
import { apply } from '../../../domain/task/apply.ts';
import { buildOptions } from '../../../domain/decisions/options/decision-kinds.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { newState, type TaskState } from '../../../domain/task/state.ts';
import { utf8Length } from '../../../domain/text/text.ts';
import { Driver } from '../attempt/support-driver.ts';
import {
  approvalOf,
  budgetQuestionOf,
  failureOf,
  planQuestionOf,
  questionOf,
  stateOf,
  subtask,
  t0,
} from '../support-task.ts';

/* The view of a person who has nothing but the Temporal Web UI. */

const blocked = failureOf({ type: 'blocked', category: 'blocked', summary: 'the requirements conflict' });

/** A task in which each of so many subtasks has asked a person. */
function asking(count: number, summary = blocked.summary, goal = 'Publish the release'): TaskState {
  const subtasks = Array.from({ length: count }, (_, n) => subtask(`s${n}`));
  const driver = new Driver(
    stateOf([...subtasks, subtask('end', { dependsOn: ['s0'] })], { goal, escalationPause: 1_000 }),
    t0,
  );
  for (const { id } of subtasks) {
    driver.begin(id);
    driver.fail(id, { ...blocked, summary, signature: `blocked-${id}` });
  }
  return driver.state;
}

const examples = (details: string): unknown[] =>
  [...details.matchAll(/```json\n(.*)\n```/g)].map((match): unknown => JSON.parse(match[1] ?? ''));

/** The rest of a text when all that is escaped or fenced is taken away. */
const unescaped = (details: string): string => details.replace(/```json\n.*\n```/g, '').replace(/\\./g, '');

describe('the current details', () => {
  test('begin with the goal and what the task does now', () => {
    const driver = new Driver(stateOf([subtask('a'), subtask('b')], { goal: 'Publish the release' }), t0);
    driver.begin('a');
    driver.begin('b');
    driver.fail('b', failureOf({ type: 'timeout' }));
    const details = currentDetails(driver.state, t0);
    expect(details.startsWith('**Publish the release**\n\nrunning: ')).toBe(true);
    expect(details).toContain('Running on host h:\n\n- a');
    expect(details).toContain('Tried again soon:\n\n- b');
    expect(currentDetails(newState('x', 'a goal', t0), t0)).toBe('**a goal**\n\nplanning: Preparing the plan');
  });

  test('hold each question, its options and the JSON that answers it', () => {
    const state = asking(1);
    const details = currentDetails(state, t0);
    expect(details).toContain('### s0-1');
    expect(details).toContain('the requirements conflict');
    for (const { id } of state.decisions.open[0]!.options) expect(details).toContain(`- ${id}: `);
    expect(details).toContain('Send an Update');
  });

  test('give an example that is a valid answer, whatever the question', () => {
    const questions = [
      asking(1),
      asking(1, '401 Unauthorized'),
      ...[
        approvalOf({ options: buildOptions('approval', { subtask: 'a' }) }),
        planQuestionOf({ recommendation: 'approve', options: buildOptions('plan', { subtasks: 2 }) }),
        questionOf(),
        budgetQuestionOf({ recommendation: 'raise', options: buildOptions('budget', { key: 'tokens', name: 't' }) }),
      ].map((decision) => {
        const state = stateOf([subtask('a')], { budget: { tokens: 5 } });
        apply(state, { type: 'decision.opened', decision }, t0);
        return state;
      }),
    ];
    for (const state of questions) {
      const [example] = examples(currentDetails(state, t0));
      expect(() => checkAnswer(state, example, t0)).not.toThrow();
      expect(example).toMatchObject({ option: state.decisions.open[0]!.recommendation });
    }
  });

  test('say how much of a budget is used', () => {
    const driver = new Driver(stateOf([subtask('a')], { budget: { modelCalls: 10, costUsd: 2.5 } }), t0);
    driver.begin('a');
    driver.suspend('a', { used: { costUsd: 0.12, tokens: 5, modelCalls: 3 } });
    expect(currentDetails(driver.state, t0)).toContain('Budget: model calls 3 of 10, cost 0.12 USD of 2.50 USD');
  });

  test('count the questions that they do not show', () => {
    const details = currentDetails(asking(30), t0);
    expect(details).toMatch(/more in `heddle status`|and 22 more questions/);
    expect(utf8Length(details)).toBeLessThanOrEqual(limits.currentDetails);
  });

  test('show questions that are too long in a short form, with their examples', () => {
    const details = currentDetails(asking(8, '<&>'.repeat(200), '<&>'.repeat(200)), t0);
    expect(utf8Length(details)).toBeLessThanOrEqual(limits.currentDetails);
    expect(details).toMatch(/### s0-1\n\ns0 reports that it cannot continue\..+\n\nAttempt 1, tier 1, failed in /);
    expect(details).toContain('### s5-1\n\nOptions: retry, fix, simpler, skip, abort\n\n```json');
    expect(examples(details).length).toBeGreaterThanOrEqual(6);
  });

  test('show the signals that were not taken', () => {
    const state = asking(1);
    const reason = 'there is no decision <b>x</b> (DECISION_NOT_FOUND)';
    apply(state, { type: 'message.refused', message: 'decide', reason }, t0);
    expect(currentDetails(state, t0)).toContain('A signal was refused: there is no decision &lt;b&gt;x&lt;/b&gt;');
  });

  test('show nothing of others as HTML or Markdown', () => {
    const hostile = '<img src=x onerror=alert(1)>\n\n# head\n| a | [l](http://x) *b* _c_ ``` ~~~ `d`';
    const details = currentDetails(asking(2, hostile, hostile), t0);
    expect(unescaped(details)).not.toMatch(/<|\[l\]|\| a|_c_/);
    expect(details.split('\n').filter((line) => line.startsWith('# '))).toEqual([]);
    expect(examples(details)).toHaveLength(2);
  });

  test('stay under 6 KB, whatever a task says', () => {
    const unit = fc.constantFrom('a', '<', '&', '_', '*', '\n', 'é', '失', '😀', '`', '\u001b');
    const text = fc.string({ unit, maxLength: 2_000, size: 'max' });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), text, text, text, (count, summary, goal, reason) => {
        const state = asking(count, summary, goal);
        for (let turn = 0; turn < 5; turn += 1)
          apply(state, { type: 'message.refused', message: 'decide', reason }, t0);
        apply(state, { type: 'task.paused', reason, by: 'person' }, t0);
        const details = currentDetails(state, t0);
        expect(utf8Length(details)).toBeLessThanOrEqual(limits.currentDetails);
        for (const example of examples(details)) expect(() => checkAnswer(state, example, t0)).not.toThrow();
        expect(examples(details).length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});
