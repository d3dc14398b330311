// Tasks of hundreds of subtasks: the page is there at once, and is told what happens while it happens.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumPath } from '../../support/browser.ts';
import { until } from '../../support/cli.ts';
import { useConsole } from './console-stack.ts';

const stack = useConsole();

/** Aims hold on a machine that does nothing else: `HEDDLE_LARGE=1`. Beside other tests everything may take longer. */
const isAlone = process.env['HEDDLE_LARGE'] !== undefined;
const aims = isAlone ? { paintMs: 1_000, lagMs: 500 } : { paintMs: 10_000, lagMs: 5_000 };

/** Milliseconds from the start of the navigation until all rows are drawn. */
async function paintOf(page: Page, address: string, rows: number): Promise<number> {
  await page.addInitScript(`
    window.paintedAt = 0;
    new MutationObserver(() => {
      if (window.paintedAt === 0 && document.querySelectorAll('.loom .row').length >= ${rows})
        requestAnimationFrame(() => { window.paintedAt ||= performance.now(); });
    }).observe(document, { childList: true, subtree: true });
  `);
  await page.goto(address);
  await expect.poll(() => page.evaluate<number>('window.paintedAt'), { timeout: 60_000 }).toBeGreaterThan(0);
  return page.evaluate<number>('window.paintedAt');
}

/** Milliseconds between an event and its line in the page, for some events. */
async function lagsOf(page: Page, send: (text: string) => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`
    window.lags = [];
    const seen = new Set();
    new MutationObserver(() => {
      for (const line of document.querySelectorAll('.feed li:not(.now)')) {
        const time = line.querySelector('time').dateTime;
        if (!line.textContent.includes('message-') || seen.has(time)) continue;
        seen.add(time);
        window.lags.push(Date.now() - Date.parse(time));
      }
    }).observe(document.querySelector('.feed'), { childList: true, subtree: true });
  `);
  for (let count = 1; count <= 10; count++) {
    await send(`message-${count}`);
    await expect.poll(() => page.evaluate<number>('window.lags.length'), { timeout: 30_000 }).toBe(count);
  }
  return page.evaluate<number[]>('window.lags');
}

test.skipIf(chromiumPath === undefined).each(isAlone ? [500, 2_000] : [500])(
  'a task of %i subtasks is drawn at once and followed as it happens',
  { timeout: 240_000 },
  async (count) => {
    const cli = stack.cli();
    const { page, origin, troubles } = await stack.open();
    const subtasks = Array.from({ length: count }, (_, index) => ({
      id: `part-${index}`,
      description: `Part ${index}`,
      dependsOn: index < 20 ? [] : [`part-${index - 20}`],
      executor: { kind: 'command', run: ['sleep', '600'] },
    }));
    writeFileSync(
      join(cli.cwd, 'plan.json'),
      JSON.stringify({ goal: `All ${count} parts`, maxParallelSubtasks: 2, subtasks }),
    );
    const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
    await until('it runs', async () => (await cli.jsonHere<{ lastEventId: number }>('status', taskId)).lastEventId > 4);
    const paint = await paintOf(page, `${origin}/tasks/${taskId}`, count);
    await page.locator('.bar .live.is-live').waitFor();
    const lags = (await lagsOf(page, (text) => cli.here('steer', taskId, text))).toSorted((a, b) => a - b);
    const p95 = lags.at(-1) ?? Infinity;
    console.log(`${count} subtasks: drawn in ${Math.round(paint)} ms, lag p50 ${lags[5]} ms, worst ${p95} ms`);
    expect(paint).toBeLessThan(aims.paintMs);
    expect(p95).toBeLessThan(aims.lagMs);
    // It still answers a press.
    await page.locator('.loom .row').nth(3).click();
    await page.getByRole('heading', { name: 'part-3' }).waitFor();
    expect(troubles).toEqual([]);
    await cli.run('cancel', taskId);
  },
);
