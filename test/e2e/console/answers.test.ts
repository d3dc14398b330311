// Answers that reach further than one question, a limit that is raised, and the memory of a project, in a real browser.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumPath, picture } from '../../support/browser.ts';
import type { Cli } from '../../support/cli.ts';
import { until } from '../../support/cli.ts';
import { useConsole } from './console-stack.ts';

const stack = useConsole();

async function startPlan(cli: Cli, plan: object): Promise<string> {
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  return (await cli.json<{ taskId: string }>('run', 'plan.json', '--detach')).taskId;
}

const failing = (id: string): object => ({
  id,
  description: `Publish ${id}`,
  executor: { kind: 'command', run: ['sh', '-c', 'echo "the token of the site has expired" >&2; exit 77'] },
});

const choose = (card: Locator, label: string): Promise<void> =>
  card.locator('.option').filter({ hasText: label }).locator('input[type=radio]').check({ timeout: 10_000 });

const stateOf = async (cli: Cli, task: string): Promise<string> =>
  (await cli.jsonHere<{ state: string }>('status', task)).state;

test.skipIf(chromiumPath === undefined)(
  'failures that are alike are answered once, for good too, and the memory of the project shows and loses it',
  { timeout: 120_000 },
  async () => {
    const cli = stack.cli();
    const { page, origin, troubles } = await stack.open();
    const first = await startPlan(cli, {
      ...{ goal: 'Publish two pages', project: 'pages', ladder: [{ tier: 'assigned' }, { person: true }] },
      subtasks: [failing('one'), failing('two')],
    });
    await page.getByText('2 subtasks fail alike').waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: 'Answer once' }).click();
    const card = page.locator('.card');
    await card.getByRole('heading').first().waitFor();
    expect(await card.locator('.files li').count()).toBe(2);
    await choose(card, 'Continue without it');
    await card.getByRole('checkbox', { name: 'the same for this failure from now on, in pages' }).check();
    await picture(page, 'console-alike');
    await card.getByRole('button', { name: /^Answer:/ }).click();
    await card.getByRole('button', { name: /^Press again/ }).click();
    await page.locator('.toast').getByText('Answered 2 questions').waitFor();
    await page.getByText('Nothing needs you.').waitFor();
    await until('it ends', async () => (await stateOf(cli, first)) !== 'running', 30_000);

    // The next one that fails alike asks nobody.
    const next = await startPlan(cli, {
      ...{ goal: 'Publish another', project: 'pages', ladder: [{ tier: 'assigned' }, { person: true }] },
      subtasks: [failing('three')],
    });
    await until('it ends by itself', async () => !['running', 'waiting'].includes(await stateOf(cli, next)), 30_000);
    await page.goto(`${origin}/tasks/${next}`);
    await page.locator('.sentence').first().waitFor();

    // The project knows the failure and the answer; both can be changed.
    await page.goto(`${origin}/projects/pages`);
    await page.getByRole('heading', { name: /Known failures/ }).waitFor();
    const rule = page.locator('.memory-row').filter({ has: page.getByRole('button', { name: 'Take it back' }) });
    expect(await rule.count()).toBe(1);
    const failure = page.locator('.memory-row').filter({ has: page.getByRole('button', { name: 'Forget' }) });
    await failure.getByRole('button', { name: 'Add a hint' }).click();
    await page.getByLabel('Hint for the next attempt').fill('rotate the token first');
    await failure.getByRole('button', { name: 'Save' }).click();
    await failure.getByText('“rotate the token first”').waitFor();
    const memory = async () => cli.jsonHere<{ signatures: { hint: string }[]; answers: unknown[] }>('memory', 'pages');
    expect((await memory()).signatures.map(({ hint }) => hint)).toEqual(['rotate the token first']);
    await rule.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('None. An answer becomes one').waitFor();
    expect((await memory()).answers).toEqual([]);
    expect(troubles).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  'the card of a limit says where it went, and a higher limit lets the task go on',
  { timeout: 60_000 },
  async () => {
    const cli = stack.cli();
    const { page, troubles } = await stack.open();
    const work = (id: string, seconds: number, dependsOn: string[]): object => ({
      ...{ id, description: id, dependsOn },
      executor: { kind: 'command', run: ['sh', '-c', `sleep ${seconds}; echo ${id}`] },
    });
    const task = await startPlan(cli, {
      ...{ goal: 'Take too long', budget: { wallClock: '2s' } },
      subtasks: [work('first', 1.5, []), work('second', 1, ['first']), work('third', 0, ['second'])],
    });
    const card = page.locator('.card');
    await card.getByText('Where it went').waitFor({ timeout: 30_000 });
    await card.getByText(/^\d of 3 subtasks are done; \d would be skipped if it finished now\.$/).waitFor();
    await choose(card, 'Raise the limit');
    await card.getByRole('textbox').fill('soon');
    await picture(page, 'console-budget');
    await page.keyboard.press('Control+Enter');
    await card.locator('[role=alert]').first().waitFor();
    await card.getByRole('textbox').fill('1h');
    await page.keyboard.press('Control+Enter');
    await page
      .locator('.toast')
      .getByText(/^Answered: Raise/)
      .waitFor();
    await until('it ends', async () => (await stateOf(cli, task)) === 'completed', 30_000);
    expect(troubles).toEqual([]);
  },
);
