// Every plan, and every part of one, that docs/plan-file.md shows is accepted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parsePlan } from '../../domain/plan/parse-plan.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'plan-file.md'), 'utf8');
const shown = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

test('there are examples', () => {
  expect(shown.length).toBeGreaterThan(1);
});

test.each(shown)('%s', (text) => {
  const rest = { goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['true'] } }] };
  const parsed = parsePlan({ ...rest, ...(parse(text) as object) });
  expect(parsed.ok ? [] : parsed.problems).toEqual([]);
});
