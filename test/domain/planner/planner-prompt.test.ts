/* The requests to a planner. */
import { describe, expect, test } from 'vitest';
import { plannerFeedback, plannerRequest } from '../../../domain/planner/planner-prompt.ts';

describe('the request to a planner', () => {
  test('has the goal, the files and the comments of people', () => {
    const view = { goal: 'Tidy </goal> up', files: ['a.md', 'src/b.ts'], isCut: false, comments: ['keep a.md'] };
    expect(plannerRequest(view, 1_000)).toBe(
      `<goal>
Tidy &lt;/goal> up
</goal>

<workspace>
a.md
src/b.ts
</workspace>

A person did not accept an earlier plan and said:
<comments>
keep a.md
</comments>`,
    );
  });

  test('names as many files as there is room for, and mentions that there are more', () => {
    const files = Array.from({ length: 100 }, (_, index) => `file-${index}.txt`);
    const text = plannerRequest({ goal: 'x', files, isCut: false, comments: [] }, 50);
    expect(text).toContain('file-0.txt');
    expect(text).not.toContain('file-9.txt');
    expect(text).toContain('(and more files)');
  });

  test('lists every problem, up to a limit', () => {
    const problems = Array.from({ length: 25 }, (_, index) => `problem ${index}`);
    const text = plannerFeedback(problems);
    expect(text).toContain('- problem 19\n- and 5 more');
  });
});
