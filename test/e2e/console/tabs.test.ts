// Several tabs of one browser: which are live, who is told, and what a page does when the service dies.
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../../support/browser.ts';
import { alive, until } from '../../support/cli.ts';
import { startAsking, useConsole } from './console-stack.ts';

const stack = useConsole();

test.skipIf(chromiumPath === undefined)(
  'eight tabs are all current within five seconds, and each question is notified once',
  { timeout: 120_000 },
  async () => {
    const cli = stack.cli();
    const first = await stack.open();
    const context = first.page.context();
    await context.grantPermissions(['notifications'], { origin: first.origin });
    await context.addInitScript(`
    window.notified = [];
    const Real = window.Notification;
    window.Notification = class extends Real { constructor(title, options) { super(title, options); window.notified.push(title); } };
    localStorage.setItem('heddle-notify', 'on');
  `);
    const pages = [first.page];
    for (let count = 1; count < 8; count++) pages.push(await context.newPage());
    onTestFinished(async () => {
      await Promise.all(pages.slice(1).map((page) => page.close()));
    });
    await Promise.all(pages.map((page) => page.goto(first.origin)));
    for (const page of pages) await page.locator('.live.is-live, .live.is-asking').waitFor();
    const live = await Promise.all(pages.map((page) => page.locator('.live.is-live').count()));
    expect(live.reduce((sum, count) => sum + count, 0)).toBe(4);

    // A page out of sight that has no stream asks nothing.
    const idle = pages[live.indexOf(0)]!;
    await idle.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`);
    const requests: string[] = [];
    idle.on('request', (request) => requests.push(request.url()));
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    requests.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(requests).toEqual([]);
    await idle.evaluate(`delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))`);

    const task = await startAsking(cli, 'Eight tabs look on');
    await until('the question is open', async () => (await cli.jsonHere<unknown[]>('inbox')).length > 0);
    const since = Date.now();
    await Promise.all(
      pages.map((page) => page.locator('.asks').getByText('Eight tabs look on').waitFor({ timeout: 10_000 })),
    );
    expect(Date.now() - since).toBeLessThan(5_000);
    const notified = await Promise.all(pages.map((page) => page.evaluate<string[]>('window.notified')));
    expect(notified.flat()).toEqual([expect.stringContaining('deploy')]);
    await cli.run('cancel', task);
  },
);

test.skipIf(chromiumPath === undefined)(
  'a page says that the service died, and is current again when it is back',
  { timeout: 180_000 },
  async () => {
    const cli = stack.cli();
    const { page, origin, troubles } = await stack.open();
    const task = await startAsking(cli, 'Survive everything', 300);
    await page.goto(`${origin}/tasks/${task}`);
    await page.locator('.sentence .button').waitFor();
    const eventsOf = (): Promise<string[]> => page.locator('.feed time + span').allTextContents();
    await expect.poll(async () => (await eventsOf()).some((text) => text.includes('deploy'))).toBe(true);

    // API and worker at once.
    const service = cli.servicePid();
    process.kill(service, 'SIGKILL');
    await page.getByText('Heddle does not answer').first().waitFor({ timeout: 20_000 });
    await until('it is dead', () => !alive(service));
    expect((await stack.up()).origin).toBe(origin);
    await page.locator('.bar .live.is-live').waitFor({ timeout: 30_000 });
    await cli.run('steer', task, 'told after the first death');
    await page.locator('.feed').getByText('told after the first death').waitFor({ timeout: 30_000 });

    // The Temporal server alone: the service brings it back.
    process.kill(cli.serverPid(), 'SIGKILL');
    await until(
      'it answers again',
      async () => (await cli.run('steer', task, 'told after the second death')).code === 0,
      60_000,
      500,
    );
    await page.locator('.feed').getByText('told after the second death').waitFor({ timeout: 30_000 });
    const shown = await eventsOf();
    const all = await cli.jsonHere<{ lastEventId: number }>('status', task);
    expect(shown).toHaveLength(all.lastEventId);
    expect(new Set(shown).size).toBe(shown.length);
    expect(troubles).toEqual([]);
    await cli.run('cancel', task);
  },
);
