/* A planner's reply: read, bounded, put in order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GateRuling } from '../../../domain/types/basic/gate.ts';
import { checkReplyContract } from '../../../domain/planner/check-contract.ts';
import { demoteSynthesis } from '../../../domain/planner/demote-synthesis.ts';
import { readOnlyTools } from '../../../domain/executors/agent.ts';
import { groundPlan } from '../../../domain/planner/ground-plan.ts';
import { readPlanReply } from '../../../domain/planner/read-reply.ts';

const verdicts: Record<string, GateRuling> = {
  rm: { kind: 'deny', why: 'It deletes.' },
  sudo: { kind: 'ask', danger: 'privilege', why: 'It changes who may do what.', signature: null },
  make: { kind: 'ask', danger: 'rule', why: 'A rule asks about it.', signature: 'gate:rule:make' },
};

const rules = {
  executors: ['agent', 'claude'],
  assess: (command: string): GateRuling => verdicts[command.split(' ')[0] ?? ''] ?? { kind: 'allow' },
};

describe('a reply', () => {
  test.each([
    ['alone', '{"subtasks": [{"id": "a"}]}'],
    ['in a fence', 'Here you are:\n```json\n{"subtasks": [{"id": "a"}]}\n```'],
    ['after thoughts', '<think>{"subtasks": []}</think>{"subtasks": [{"id": "a"}]}'],
    ['with a comma too much', '{"subtasks": [{"id": "a"},]}'],
  ])('is read from %s', (_, text) => {
    expect(readPlanReply(text)).toMatchObject({ ok: true, subtasks: [{ id: 'a' }] });
  });

  test.each([
    ['nothing', ''],
    ['words', 'I cannot do that.'],
    ['another object', '{"plan": []}'],
    ['one that was cut off', '{"subtasks": [{"id": "a"}, {"id": "b", "descri'],
  ])('is refused when it is %s', (_, text) => {
    expect(readPlanReply(text)).toMatchObject({ ok: false });
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof readPlanReply(text).ok === 'boolean'));
  });
});

describe("a model's request", () => {
  test.each([
    [{}, []],
    [{ executor: 'agent' }, []],
    [{ executor: 'claude' }, []],
    [{ executor: { kind: 'agent', tools: ['read_file'] } }, []],
    [{ executor: 'other' }, ['subtasks[0].executor']],
    [{ executor: { kind: 'command', run: ['true'] } }, ['subtasks[0].executor']],
    [{ executor: { kind: 'agent', model: 'best' } }, ['subtasks[0].executor.model']],
    [{ env: ['HOME'] }, ['subtasks[0].env']],
    [{ ladder: [] }, ['subtasks[0].ladder']],
    [{ role: 'writer' }, ['subtasks[0].role']],
    [{ verify: ['true', 'rm -rf x'] }, ['subtasks[0].verify[1]']],
    [{ verify: [{ name: 'clean', run: 'rm -rf x' }] }, ['subtasks[0].verify[0].run']],
    // Asked about before its subtask starts.
    [{ verify: ['make test'] }, []],
    [{ verify: ['make test', 'sudo ls'] }, ['subtasks[0].verify[1]']],
  ])('is checked: %j', (more, places) => {
    const problems = checkReplyContract({ subtasks: [{ id: 'a', ...more }] }, rules);
    expect(problems.map(({ where }) => where)).toEqual(places);
  });

  test('has at most thirty subtasks, and nothing about the task itself', () => {
    const subtasks = Array.from({ length: 31 }, (_, index) => ({ id: `s${index}` }));
    const problems = checkReplyContract({ subtasks, budget: { costUsd: 9 }, goal: 'x' }, rules);
    expect(problems.map(({ where }) => where)).toEqual(['budget', 'subtasks']);
  });
});

describe('a synthesis in the middle', () => {
  test('becomes an ordinary subtask, while a last one stays', () => {
    const given = [
      { id: 'a', synthesis: true },
      { id: 'b', dependsOn: ['a'], synthesis: true },
    ];
    expect(demoteSynthesis(given)).toEqual({ subtasks: [{ id: 'a', synthesis: false }, given[1]], demoted: ['a'] });
  });
});

describe('a plan without a root that only reads', () => {
  const reading = { kind: 'agent', tools: [...readOnlyTools] };

  test('gets one before all its roots', () => {
    const given = [{ id: 'a' }, { id: 'b' }, { id: 'c', dependsOn: ['a', 'b'] }];
    expect(groundPlan(given, { agent: true })).toEqual([
      expect.objectContaining({ id: 'inspect', executor: reading }),
      { id: 'a', dependsOn: ['inspect'] },
      { id: 'b', dependsOn: ['inspect'] },
      given[2],
    ]);
  });

  test('keeps an id that is taken', () => {
    const given = [{ id: 'inspect', deliverables: ['report.md'] }];
    expect(groundPlan(given, { agent: true })).toMatchObject([{ id: 'inspect-2' }, { dependsOn: ['inspect-2'] }]);
  });

  test.each([
    ['one that has such a root', { id: 'look', executor: { kind: 'agent', tools: ['read_file'] } }],
    ['one whose first is called inspect', { id: 'inspect', description: 'look' }],
  ])('is not %s', (_, first) => {
    expect(groundPlan([first, { id: 'b' }], { agent: true })).toHaveLength(2);
  });

  test('limits a root called inspect to reading', () => {
    expect(groundPlan([{ id: 'inspect' }], { agent: true })).toEqual([{ id: 'inspect', executor: reading }]);
  });
});
