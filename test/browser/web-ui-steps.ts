// Steps of a person in the Temporal Web UI.
import type { Page } from 'playwright-core';

const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

export const plan = {
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

export async function readDetails(page: Page): Promise<string> {
  const panel = page.frameLocator('#user-metadata-current-details').locator('body');
  await panel.getByText('publish-1').first().waitFor();
  return panel.innerText();
}

export async function sendUpdate(page: Page, data: object): Promise<void> {
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

export async function fillData(page: Page, data: object): Promise<void> {
  const editor = page.locator('dialog[open] [role=textbox], [role=dialog]:visible [role=textbox]').first();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(JSON.stringify(data));
}

/** Leaving the field formats the JSON and moves the button: the first click may be lost. */
export async function submit(page: Page): Promise<void> {
  await page.getByText('Update ID (optional)').locator('visible=true').first().click();
  await page.getByTestId('confirm-modal-button').locator('visible=true').first().click();
}
