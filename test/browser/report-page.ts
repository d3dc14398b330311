// A plan that meets everything, and the page of its report.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { picture } from '../support/browser.ts';

const command = (script: string, rest: object = {}): object => ({
  kind: 'command',
  run: ['sh', '-c', script],
  ...rest,
});
const contract = (fields: object): string => `echo '${JSON.stringify(fields)}'`;

/** Each subtask meets another kind of trouble. */
export const plan = {
  goal: 'Meet every kind of trouble, & <tell> of it',
  planApproval: true,
  budget: { tokens: 1_000 },
  subtasks: [
    { id: 'fine', executor: command(contract({ status: 'success', notes: 'all well', costUsd: 0.02, tokens: 100 })) },
    {
      id: 'flaky',
      dependsOn: ['fine'],
      deliverables: ['flaky.txt'],
      executor: command(
        '[ $HEDDLE_ATTEMPT -ge 3 ] || { echo "error: cannot find module pump" >&2; exit 1; }; echo ok | tee flaky.txt',
      ),
    },
    {
      id: 'network',
      dependsOn: ['killed'],
      executor: command(
        '[ -e tried ] || { touch tried; echo "connect ECONNREFUSED 127.0.0.1:1" >&2; exit 1; }; echo connected',
      ),
    },
    {
      id: 'killed',
      executor: command(
        'echo x >> killed; [ $(wc -l < killed) -gt 1 ] && { echo again; exit 0; }; touch started; sleep 60',
      ),
    },
    { id: 'auth', executor: command('[ $HEDDLE_ATTEMPT -gt 1 ] || { echo "401 Unauthorized" >&2; exit 1; }; echo in') },
    { id: 'optional', executor: command('echo "not allowed" >&2; exit 77') },
    { id: 'warned', dependsOn: ['optional'], executor: command('echo without it') },
    { id: 'stuck', executor: command(contract({ status: 'blocked', notes: 'the requirements conflict' })) },
    { id: 'behind', dependsOn: ['stuck'], executor: command('echo never') },
    { id: 'hungry', dependsOn: ['fine'], executor: command(contract({ status: 'success', tokens: 950 })) },
    { id: 'sum', synthesis: true, executor: command('echo summed up') },
  ],
};

/** The page as it is on screen, narrow and printed. */
export async function look(page: Page, file: string): Promise<void> {
  const html = readFileSync(file, 'utf8');
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  expect(await page.locator('h1').innerText()).toContain('Meet every kind of trouble, & <tell> of it');
  for (const width of [1280, 480]) {
    await page.setViewportSize({ width, height: 860 });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 1000 });
  await picture(page, 'report');
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.length).toBeGreaterThan(10_000);
  expect(complaints).toEqual([]);
}
