// One service and one real browser: a hostile page, a person with nothing but the Temporal Web UI, and the page of a report.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../client/index.ts';
import { secludedAddress } from '../../workers/server/loopback-address.ts';
import { chromiumPath, picture, useBrowser } from '../support/browser.ts';
import { Cli, until, useHome } from '../support/cli.ts';
import { ask, listeners, type Place } from '../workers/support-http.ts';
import { attack, clientOf, expectUnbrowsable, hostileOrigin, startedOf, startUnguarded } from './hostile-page.ts';
import { look, plan as troubled } from './report-page.ts';
import { fillData, plan as notes, readDetails, sendUpdate, submit } from './web-ui-steps.ts';

const home = useHome();
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home() });

interface Up {
  temporalAddress: string;
  webUi: string;
}

const nameOf = (host: string): string => `a${host.replaceAll('.', '-')}.evil.test`;
/** Target of the names on the hostile page. */
const hosts: string[] = [];
const openPage = useBrowser(() => Promise.resolve(Object.fromEntries(hosts.map((host) => [nameOf(host), host]))));

test.skipIf(chromiumPath === undefined)(
  'whatever a page tries, no port of the local service starts anything for it; the attack is a real one',
  async () => {
    const cli = newCli();
    const { temporalAddress, webUi } = await cli.json<Up>('up', '--background');
    const client = await clientOf(temporalAddress);
    const guard = new URL(webUi);
    const targets: Place[] = [...listeners(cli.serverPid()), { host: guard.hostname, port: Number(guard.port) }];
    // Server, HTTP API, metrics, two or three inner parts, the Web UI itself, and the guard.
    expect(targets.length).toBeGreaterThan(5);
    const unguarded = await startUnguarded();
    const open = { host: unguarded.uiHost, port: unguarded.uiPort };
    const secluded = await secludedAddress(undefined);
    hosts.push(...targets.map(({ host }) => host), open.host, secluded);
    const page = await openPage();
    const from = await hostileOrigin();
    const tried: string[] = [];
    const saw: Record<string, string> = {};
    for (const target of targets) {
      const { ids, ...seen } = await attack(page, target, nameOf(target.host), from);
      tried.push(...ids);
      saw[`${target.host}:${target.port}`] = seen.saw;
    }
    expect(await startedOf(client, tried)).toEqual([]);
    expect((await client.workflow.count()).count).toBe(0);
    // It was the guard that said no, not a page that failed before.
    expect(saw[guard.host]).toBe('sent 403,403');

    // The same page does start a task at a Web UI that has no guard.
    expect(await ask(open, { method: 'GET', path: '/', headers: { host: 'evil.test' } })).toBe(200);
    const real = await attack(page, open, nameOf(open.host), from);
    expect(await startedOf(await clientOf(unguarded.address), real.ids), real.saw).toEqual([real.ids[2]]);

    await expectUnbrowsable(page, secluded, nameOf(secluded));
  },
  240_000,
);

test.skipIf(chromiumPath === undefined)(
  'a question is found by its search attribute, read and answered in the Web UI alone, at its own address',
  async () => {
    const cli = newCli();
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(notes));
    const { webUi } = await cli.jsonHere<Up>('up', '--background');
    expect((await cli.here('run', 'plan.json', '--id', 'notes', '--exit-on-decision')).code).toBe(3);
    const page = await openPage();

    await page.goto(
      `${webUi}/namespaces/default/workflows?query=${encodeURIComponent('`HeddleWaitingOn`="escalation"')}`,
    );
    const row = page.getByRole('link', { name: 'task-notes' }).first();
    await row.waitFor();
    await picture(page, 'web-ui-list');
    await row.click();

    await page.getByRole('link', { name: 'User Metadata' }).or(page.getByText('User Metadata')).first().click();
    expect(page.url()).toContain(webUi);
    const details = await readDetails(page);
    expect(details).toContain('publish needs credentials or settings that are missing or not accepted');
    expect(details).toContain('skip-branch');
    await picture(page, 'web-ui-question');
    // A person copies the JSON below the question.
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
    expect(await cli.jsonHere('status', 'notes')).toMatchObject({ state: 'completed' });
  },
  180_000,
);

test('the report of a task with every kind of event, as text, as JSON, and as a page', async () => {
  const cli = newCli();
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(troubled));
  expect((await cli.here('run', 'plan.json', '--id', 'all', '--exit-on-decision')).code).toBe(3);
  const decide = async (...how: string[]): Promise<void> => {
    expect((await cli.here('decide', 'all', ...how)).stderr).toBe('');
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
  await cli.here('pause', 'all', '--reason', 'lunch');
  await cli.here('resume', 'all');
  await cli.here('decide', 'all', 'nothing-9', 'retry', '--signal');
  await answer('auth-1', 'fix', '--instruction', 'use the staging key');
  await answer('optional-1', 'skip');
  await answer('stuck-1', 'skip-branch');
  await answer('budget-tokens-1', 'raise', '--value', '5000');
  expect((await watching.finished).code).toBe(0);

  const report = await cli.jsonHere<Report>('report', 'all');
  expect(report).toMatchObject({
    state: 'completed',
    subtasks: { total: 11, completed: 8, failed: 0, skipped: 3 },
    attempts: { recovered: 2, escalated: 3 },
  });
  expect(report.attempts.reruns).toBeGreaterThan(0);
  const markdown = (await cli.here('report', 'all')).stdout;
  const told = [
    ...['killed', 'connect ECONNREFUSED', 'use the staging key', 'lunch', 'British English', 'nothing-9', 'behind'],
    ...['Decisions', 'Run again after a crash', 'Waits for the environment', '5000'],
  ];
  for (const word of told) expect(markdown).toContain(word);
  if (chromiumPath === undefined) return;
  await cli.here('report', 'all', '--html', 'report.html');
  await look(await openPage(), join(cli.cwd, 'report.html'));
}, 240_000);
