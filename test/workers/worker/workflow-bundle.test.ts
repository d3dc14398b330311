// The bundle that a worker of this tree runs.
import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';

test('the workflows keep their syntax: no spread is a call of a helper', () => {
  const code = readFileSync(inject('bundlePath'), 'utf8');
  expect(code).toContain('class TaskRun');
  expect(code.match(/\b_object_spread\w*/)).toBeNull();
});
