// A plan as text that no file holds, such as the body of a request.
import { expect, test } from 'vitest';
import { loadPlanText } from '../../../client/plan-file/load-plan-text.ts';

const cwd = '/srv/site';

const subtasks = '[{ id: build, executor: { kind: command, run: [make] } }]';

test('a plan is read from text without a file', async () => {
  const text = `goal: Build the site\nsubtasks: ${subtasks}\n`;
  const { raw, plan } = await loadPlanText({ name: 'request', text }, { cwd });
  expect(raw).toMatchObject({ goal: 'Build the site', workspace: cwd });
  expect(plan.subtasks.map(({ id }) => id)).toEqual(['build']);
});

test('a mistake in a text names its source, line and column', async () => {
  const loading = loadPlanText({ name: 'request', text: 'goal: Build\nsubtask: []\n' }, { cwd });
  await expect(loading).rejects.toMatchObject({
    code: 'PLAN_UNKNOWN_KEY',
    where: expect.stringMatching(/^request:2:1\b/) as string,
  });
});
