// A person with nothing but the Temporal Web UI: finds what waits, reads the question, answers it, sees the task complete.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Cli } from '../support/cli.ts';
import { chromiumPath, openPage, picture } from '../support/browser.ts';

const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

const plan = {
  goal: 'Publish the release notes',
  subtasks: [
    { id: 'draft', description: 'Write NOTES.md', executor: command('echo "# Notes" > NOTES.md; echo drafted') },
    {
      id: 'publish',
      description: 'Put the notes on the site',
      dependsOn: ['draft'],
      executor: command(
        'test "$HEDDLE_ATTEMPT" -gt 1 || { echo "401 Unauthorized: token expired" >&2; exit 1; }; echo published',
      ),
    },
    { id: 'announce', description: 'Tell the list', dependsOn: ['publish'], executor: command('echo announced') },
  ],
};

test.skipIf(chromiumPath === undefined)(
  'a question is found by its search attribute, read and answered in the Web UI alone',
  async () => {
    const cli = new Cli();
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    expect((await cli.run('run', 'plan.json', '--id', 'notes', '--exit-on-decision')).code).toBe(3);
    const { webUi } = await cli.json<{ webUi: string }>('up', '--background');
    const page = await openPage();

    await page.goto(
      `${webUi}/namespaces/default/workflows?query=${encodeURIComponent('`HeddleWaitingOn`="escalation"')}`,
    );
    const row = page.getByRole('link', { name: 'task-notes' }).first();
    await row.waitFor();
    await picture(page, 'web-ui-list');
    await row.click();

    await page.getByRole('link', { name: 'User Metadata' }).or(page.getByText('User Metadata')).first().click();
    const details = await readDetails(page);
    expect(details).toContain('publish needs credentials or settings that are missing or not accepted');
    expect(details).toContain('skip-branch');
    await picture(page, 'web-ui-question');
    // What a person copies: the JSON below the question.
    const example = /\{"decisionId":"publish-1"[^}]*\}/.exec(details)?.[0];
    expect(example).toBeDefined();

    await sendUpdate(page, { decisionId: 'publish-1', option: 'dance' });
    await page.getByText('is not an option').first().waitFor();
    await picture(page, 'web-ui-refused');
    await fillData(page, JSON.parse(example ?? '{}') as object);
    await submit(page);

    await page.goto(`${webUi}/namespaces/default/workflows/task-notes`);
    await page.getByTestId('workflow-status-Completed').or(page.getByText('Completed')).first().waitFor();
    await picture(page, 'web-ui-completed');
    expect(await cli.json('status', 'notes')).toMatchObject({ state: 'completed' });
  },
  180_000,
);

async function readDetails(page: Page): Promise<string> {
  const panel = page.frameLocator('#user-metadata-current-details').locator('body');
  await panel.getByText('publish-1').first().waitFor();
  return panel.innerText();
}

async function sendUpdate(page: Page, data: object): Promise<void> {
  await page.getByRole('button', { name: 'More Actions' }).locator('visible=true').first().click();
  await page.getByRole('menuitem', { name: 'Send an Update' }).locator('visible=true').first().click();
  await page.getByTestId('update-select-button').locator('visible=true').first().click();
  await page
    .getByRole('option', { name: /^decide/ })
    .locator('visible=true')
    .first()
    .click();
  await fillData(page, data);
  await submit(page);
}

async function fillData(page: Page, data: object): Promise<void> {
  const editor = page.locator('dialog[open] [role=textbox], [role=dialog]:visible [role=textbox]').first();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(JSON.stringify(data));
}

/** Leaving the field formats the JSON and moves the button: the first click may be lost. */
async function submit(page: Page): Promise<void> {
  await page.getByText('Update ID (optional)').locator('visible=true').first().click();
  await page.getByTestId('confirm-modal-button').locator('visible=true').first().click();
}
