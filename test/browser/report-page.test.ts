// The report of one real task that met everything: as text, as JSON, and as a page in a real browser, on screen, narrow and printed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Report } from '../../client/index.ts';
import { Cli, until } from '../support/cli.ts';
import { chromiumPath, openPage, picture } from '../support/browser.ts';

const command = (script: string, rest: object = {}): object => ({
  kind: 'command',
  run: ['sh', '-c', script],
  ...rest,
});
const contract = (fields: object): string => `echo '${JSON.stringify(fields)}'`;

/** Each subtask meets another kind of trouble. */
const plan = {
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

test('the report of a task with every kind of event, in words and in a browser', async () => {
  const cli = new Cli();
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
  expect((await cli.run('run', 'plan.json', '--id', 'all', '--exit-on-decision')).code).toBe(3);
  const decide = async (...how: string[]): Promise<void> => {
    expect((await cli.run('decide', 'all', ...how)).stderr).toBe('');
  };
  await decide('plan-1', 'approve');
  await until('killed runs', () => existsSync(join(cli.cwd, 'started')));
  process.kill(cli.servicePid(), 'SIGKILL');
  await cli.run('steer', 'all', 'write in British English');
  const watching = cli.start('watch', 'all', '--json');
  const answer = async (id: string, ...how: string[]): Promise<void> => {
    await until(`${id} is open`, () => watching.stdout().includes(`"decision":{"id":"${id}"`), 90_000);
    await decide(id, ...how);
  };
  await cli.run('pause', 'all', '--reason', 'lunch');
  await cli.run('resume', 'all');
  await cli.run('decide', 'all', 'nothing-9', 'retry', '--signal');
  await answer('auth-1', 'fix', '--instruction', 'use the staging key');
  await answer('optional-1', 'skip');
  await answer('stuck-1', 'skip-branch');
  await answer('budget-tokens-1', 'raise', '--value', '5000');
  expect((await watching.finished).code).toBe(0);

  const report = await cli.json<Report>('report', 'all');
  expect(report).toMatchObject({
    state: 'completed',
    subtasks: { total: 11, completed: 8, failed: 0, skipped: 3 },
    attempts: { recovered: 2, escalated: 3 },
  });
  expect(report.attempts.reruns).toBeGreaterThan(0);
  const markdown = (await cli.run('report', 'all')).stdout;
  const told = [
    ...['killed', 'connect ECONNREFUSED', 'use the staging key', 'lunch', 'British English', 'nothing-9', 'behind'],
    ...['Decisions', 'Run again after a crash', 'Waits for the environment', '5000'],
  ];
  for (const word of told) expect(markdown).toContain(word);
  if (chromiumPath === undefined) return;
  await cli.run('report', 'all', '--page', 'report.html');
  await look(join(cli.cwd, 'report.html'));
}, 240_000);

async function look(file: string): Promise<void> {
  const html = readFileSync(file, 'utf8');
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const page = await openPage();
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
