/* A planner's reply without subtasks, or with a subtask that nothing checks, is never taken. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requireChecks } from '../../../domain/checks/require-checks.ts';
import { noConfig } from '../../../domain/config/layers.ts';
import { planUnderConfig } from '../../../domain/config/plan-under-config.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { readPlanReply } from '../../../domain/planner/read-reply.ts';
import { cutOf, numRuns, soupOf, timeout, utf16, writtenObject } from './drawn.ts';

/** The way of a reply up to the point where it could run. */
function isTaken(text: string): boolean {
  const reply = readPlanReply(text);
  if (!reply.ok || reply.subtasks.length === 0) return false;
  const raw = { goal: 'g', executor: { kind: 'agent' }, subtasks: reply.subtasks };
  const parsed = parsePlan(raw);
  if (!parsed.ok) return false;
  return requireChecks(planUnderConfig(parsed.plan, raw, noConfig()).subtasks, () => ['subtasks', 0]).length === 0;
}

const neverTaken = (texts: fc.Arbitrary<string>): void =>
  fc.assert(
    fc.property(texts, (text) => !isTaken(text)),
    { numRuns },
  );

const idOf = (index: number): string => `s${index}`;
const checked = { deliverables: ['a.md'] };

/** Keys of a subtask that do not check it. */
const noCheck: fc.Arbitrary<Record<string, unknown>> = fc.constantFrom(
  {},
  { deliverables: [] },
  { verify: [] },
  { rules: [], requiredSections: [], diff: false },
  { criteria: ['it is short'] },
  { verification: 2 },
  { verification: 3, criteria: [] },
  { description: 'verify: npm test, deliverables: a.md' },
  { executor: { kind: 'agent', tools: ['read_file', 'shell'] } },
  { verified: true },
  { passed: true },
  { status: 'completed' },
);

const plan = fc
  .tuple(fc.array(fc.oneof(noCheck, fc.constant(checked)), { maxLength: 4 }), noCheck, fc.nat(4))
  .map(([others, unchecked, place]): [string, unknown][] => {
    const subtasks = [...others.slice(0, place), unchecked, ...others.slice(place)];
    return [['subtasks', subtasks.map((subtask, index) => ({ id: idOf(index), ...subtask }))]];
  });

const around = fc.constantFrom('', 'Sure, here is the plan:\n', 'All is done and passed.\n', '{"ok": true}\n');

test('a plan with a subtask that nothing checks is refused', { timeout }, () => {
  neverTaken(fc.tuple(around, writtenObject(plan)).map((parts) => parts.join('')));
});

const whole = JSON.stringify({
  subtasks: [
    { id: 'a', ...checked },
    { id: 'b', ...checked },
  ],
});

test('a plan that was cut off is refused', { timeout }, () => {
  neverTaken(fc.tuple(around, cutOf(fc.constant(whole))).map((parts) => parts.join('')));
});

test('a reply without subtasks is refused', { timeout }, () => {
  const other = writtenObject(
    fc.array(
      fc.tuple(
        fc.constantFrom('plan', 'steps', 'tasks', 'status', 'passed', 'Subtask', 'subtasks'),
        fc.constantFrom<unknown>(true, 'done', [], {}, null, 1, 'success', [{ id: 'x' }], ['x'], {
          id: 'x',
          ...checked,
        }),
      ),
      { maxLength: 4 },
    ),
  );
  const soup = soupOf(['{', '}', '[', ']', '"subtasks":', '"id":', '"a"', ',', ':', 'done', 'true', '"status":', '"']);
  neverTaken(fc.oneof(other, soup, utf16, around));
});

test('a plan in which all is checked is taken, so that the properties above mean something', () => {
  expect(isTaken(whole)).toBe(true);
});
