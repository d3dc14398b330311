// A person in a real browser, with nothing but the keyboard: starts a goal, edits its plan, answers, undoes, cancels, and reloads in between.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumPath, picture } from '../../support/browser.ts';
import { writeModels } from '../../support/scripted-models.ts';
import { serveSlowly } from '../../support/models/slow-reply.ts';
import { startAsking, useConsole } from './console-stack.ts';
import { writeScriptedWorkspace } from './script.ts';

const stack = useConsole();

const sentence = (page: Page) => page.locator('.sentence').first();
const sendButton = (page: Page) => page.locator('.card > footer .first');

/** Opens the only question by keys, and waits for its card. */
async function openQuestion(page: Page, problem: string | RegExp): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.locator('.card').getByRole('heading', { name: problem }).waitFor({ timeout: 30_000 });
}

test.skipIf(chromiumPath === undefined)(
  'a goal is started, its plan is edited, and its questions are answered by keyboard up to its end',
  { timeout: 180_000 },
  async () => {
    const cli = stack.cli();
    writeScriptedWorkspace(cli.cwd);
    expect((await cli.run('trust')).code).toBe(0);
    const { page, troubles } = await stack.open();

    // Start by a goal in words.
    await page.keyboard.press('n');
    await page.getByLabel('Goal').fill('Tidy the folder and tell the readers');
    await page.getByLabel('Folder').fill(cli.cwd);
    await page.getByText('all makes the plan.').waitFor();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sentence(page).textContent()).toContain('approval of the plan');
    await page.reload();
    await expect.poll(() => page.title(), { timeout: 20_000 }).toContain('(1)');

    // Edit the plan in place: a mistake is told while it is typed, and cannot be sent.
    await openQuestion(page, 'The plan is ready. Run it?');
    await page.locator('.graph .node').first().waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'what to do' }).fill('Look at everything that is there');
    await page.getByRole('textbox', { name: 'after' }).fill('nothing');
    await page.getByRole('list', { name: 'Problems of the plan' }).getByText('nothing').waitFor();
    expect(await sendButton(page).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'after' }).fill('');
    await expect.poll(() => sendButton(page).textContent()).toContain('run another plan instead');
    await picture(page, 'console-plan');
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast').getByText('Answered: Run another plan instead').waitFor();

    // The gated call: read whole, edited in place, asked for twice.
    await openQuestion(page, /needs your approval/);
    expect(await page.locator('.exact code').textContent()).toBe('rm -rf old');
    await page.getByText('Nothing uses the old folder').waitFor();
    await picture(page, 'console-gate');
    await page.reload();
    await page.locator('.exact').waitFor();
    await page.keyboard.press('2');
    await page.getByLabel('The command to run instead').fill('rm -rf older');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sendButton(page).textContent()).toContain('Press again');
    expect(existsSync(join(cli.cwd, 'older'))).toBe(true);
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast').getByText('Answered: Run it with other arguments').waitFor();

    // The agent's own question.
    await openQuestion(page, /Which readers/);
    expect([existsSync(join(cli.cwd, 'old')), existsSync(join(cli.cwd, 'older'))]).toEqual([true, false]);
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.locator('.toast').getByText('Answered: users').waitFor();
    await page.getByText('Nothing needs you.').waitFor();

    // Watch it end, and undo it.
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('link', { name: 'Tidy the folder and tell the readers' }).click();
    await page.locator('.sentence.is-done').waitFor({ timeout: 30_000 });
    expect(await page.locator('.loom .row').count()).toBe(3);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.locator('.diff').getByText('The old folder is not needed.').waitFor();
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByText('out.md').last().waitFor();
    await page.getByRole('button', { name: /^Undo \d+ files$/ }).click();
    await page
      .locator('.toast')
      .getByText(/^Undone: \d+ files$/)
      .first()
      .waitFor();
    expect([existsSync(join(cli.cwd, 'out.md')), existsSync(join(cli.cwd, 'older', 'a.txt'))]).toEqual([false, true]);
    expect(readFileSync(join(cli.cwd, 'older', 'a.txt'), 'utf8')).toBe('a\n');
    expect(troubles).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  'a plan is started, steered, paused and cancelled, and its output is followed',
  async () => {
    const cli = stack.cli();
    const { page, troubles } = await stack.open();
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'A plan' }).click();
    const plan = {
      goal: 'Count for a while',
      workspace: cli.cwd,
      subtasks: [
        {
          id: 'count',
          description: 'Count',
          executor: { kind: 'command', run: ['sh', '-c', 'for i in $(seq 1 300); do echo line-$i; sleep 0.2; done'] },
        },
      ],
    };
    const field = page.getByLabel('Plan, as YAML or JSON');
    await field.fill('goal: x\nsubtask: []');
    await page.getByRole('list', { name: 'Problems of the plan' }).getByText('subtask').first().waitFor();
    await field.fill(JSON.stringify(plan));
    await page.getByText('The plan has no problem.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Count for a while' }).waitFor();
    // Its newest line, without a reload.
    await expect
      .poll(() => page.locator('.feed .now code').first().textContent(), { timeout: 20_000 })
      .toMatch(/^line-\d+$/);
    await page.locator('.loom .row').first().click();
    await expect.poll(() => page.locator('.output').textContent()).toContain('line-1\nline-2');
    const before = (await page.locator('.output').textContent()) ?? '';
    await expect
      .poll(async () => ((await page.locator('.output').textContent()) ?? '').length)
      .toBeGreaterThan(before.length);
    await page.getByRole('button', { name: 'Steer…' }).click();
    await page.getByLabel('What should it do differently?').fill('count slower');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.feed').getByText('count slower').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByLabel('Why (optional)').fill('it was only a test');
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await expect.poll(() => sentence(page).textContent(), { timeout: 20_000 }).toMatch(/cancelled/i);
    await page.getByRole('button', { name: 'Run again…' }).waitFor();
    expect(troubles).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  'the words of an agent are shown while its model still writes them',
  async () => {
    const cli = stack.cli();
    const { url, release } = await serveSlowly('I look at the folder.\nThen I write.\nThis line is not');
    writeModels(cli.cwd, url);
    expect((await cli.run('trust')).code).toBe(0);
    const { page, origin, troubles } = await stack.open();
    const subtasks = [{ id: 'look', description: 'Look', executor: { kind: 'agent' } }];
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'Watch it write', subtasks }));
    const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/output') && request.headers()['accept'] === 'text/event-stream')
        streams.push(request.url());
    });
    await page.goto(`${origin}/tasks/${taskId}?tab=attempts`);
    const output = page.locator('.output');
    await expect.poll(() => page.locator('.draft').textContent(), { timeout: 20_000 }).toContain('Then I write.');
    expect(await output.textContent()).not.toContain('This line is not');
    await picture(page, 'console-draft');
    release();
    await page.getByRole('link', { name: 'Conversation' }).waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Output' }).click();
    await expect.poll(() => output.textContent()).toContain('This line is not');
    // The words are there once, as the turn that was kept.
    expect((await output.textContent())?.split('I look at the folder.')).toHaveLength(2);
    expect(await page.locator('.draft').count()).toBe(0);
    expect(streams).toHaveLength(1);
    expect(troubles).toEqual([]);
  },
);

test.skipIf(chromiumPath === undefined)(
  'of two people who answer at once, one is taken and the other is told who won',
  async () => {
    const cli = stack.cli();
    await stack.up();
    const task = await startAsking(cli, 'Publish for a race');
    const people = await Promise.all([stack.open(), stack.openAs('ben', 'decider')]);
    const answers = [0, 0];
    for (const [index, { page, origin }] of people.entries()) {
      page.on('response', (response) => {
        if (response.request().method() === 'POST' && response.url().endsWith('/deploy-1'))
          answers[index] = response.status();
      });
      await page.goto(`${origin}/tasks/${task}/decisions/deploy-1`);
      await page.locator('.card .options').waitFor();
      await page.keyboard.press('1');
      await expect.poll(() => page.locator('.card > footer .first').textContent()).toContain('try again');
    }
    await Promise.all(people.map(({ page }) => page.keyboard.press('Enter')));
    await expect.poll(() => answers.toSorted(), { timeout: 30_000 }).toEqual([200, 409]);
    const loser = people[answers.indexOf(409)]!.page;
    const winner = answers[0] === 200 ? /\S+ answered Try again .* before you/ : /ben answered Try again .* before you/;
    await expect.poll(() => loser.locator('.answered').textContent()).toMatch(winner);
    expect(people.flatMap(({ troubles }) => troubles)).toEqual([]);
    await cli.run('cancel', task);
  },
);
