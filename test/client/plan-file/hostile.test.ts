/* Texts made to exhaust the reader: each must end in seconds and in an error; the parser alone takes minutes for some. */
import { describe, expect, test } from 'vitest';
import { planLimits } from '../../../domain/input/limits.ts';
import { head, inSubtask, one, refusal } from './case.ts';

const laughs = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const items = level === 0 ? '"lol"' : `*l${level - 1}`;
    return `l${level}: &l${level} [${Array(10).fill(items).join(', ')}]`;
  }).join('\n');

const most = planLimits.maxPlanBytes - 1_000;
const fill = (text: string, bytes = most): string => text.repeat(Math.floor(bytes / text.length));
/** Enough to be noticed where the work grows with the square; with HEDDLE_FUZZ_RUNS enough to take minutes then. */
const much = most / (process.env['HEDDLE_FUZZ_RUNS'] === undefined ? 16 : 4);

describe('a hostile text', () => {
  test('of aliases that multiply ends as a syntax error at the alias that is too much', async () => {
    const error = await refusal(`${laughs(12)}\n`);
    expect(error).toMatchObject({ code: 'PLAN_SYNTAX', message: 'The aliases of this plan expand to too much text.' });
    expect(error.where).toMatch(/^stdin:6:/);
  });

  test('of one long value that is repeated by aliases is too large, not sent', async () => {
    const text = `${head}subtasks:\n  - id: a\n    description: &d ${'x'.repeat(planLimits.maxPlanBytes / 2)}\n`;
    const error = await refusal(`${text}  - { id: b, description: *d }\n  - { id: c, description: *d }\n`);
    expect(error).toMatchObject({ code: 'PLAN_TOO_LARGE' });
  });

  test.each([
    ['brackets', '['.repeat(most), 'stdin:1:65'],
    ['braces', fill('{a: '), 'stdin:1:257'],
    ['braces in a subtask', inSubtask(`role: ${'{a: '.repeat(100_000)}`), 'stdin:5:267'],
    ['indented keys', Array.from({ length: 400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'), 'stdin:66:66'],
  ])('of nested %s is nested too deeply', async (_, text, where) => {
    const error = await refusal(text);
    expect(error).toMatchObject({ code: 'PLAN_SYNTAX', message: 'The plan is nested too deeply.', where });
  });

  test.each([
    ['dashes', fill('- ', much)],
    ['commas', `[${fill('-,', most / 4)}`],
    ['commas in a row', `[${fill(',', much)}`],
    ['quotes', '"'.repeat(much / 2)],
    ['closing braces', '} '.repeat(much / 4)],
    ['documents', fill('---\n', much)],
    ['question marks', fill('? ', much)],
    ['tags', fill('- !x 1\n', much)],
    ['aliases', `goal: &a g\nb: [${'*a ,'.repeat(25_000)}]`],
  ])('of nothing but %s is refused', async (_, text) => {
    expect((await refusal(text)).code).toMatch(/^PLAN_/);
  });

  test('of many unknown keys lists the first ones only', async () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `goals${index}: 1`).join('\n');
    const error = await refusal(`${one}${keys}\n`);
    expect(error.message).toBe(`The plan has ${planLimits.problems} problems or more.`);
    expect(error.problems).toHaveLength(planLimits.problems);
  });

  test('cannot write to the terminal through an error', async () => {
    const { message, where } = await refusal(`${one}"\\e[2J\\u202e\\nx": 1\n`);
    expect(`${message}${where ?? ''}`).toMatch(/^[\x20-\x7e]*$/);
  });
});
