// Every page of the console: texts that try to break it, and everybody who reads it otherwise.
import axe from 'axe-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumPath, picture } from '../../support/browser.ts';
import { until } from '../../support/cli.ts';
import { overflowOf, useConsole } from './console-stack.ts';

const stack = useConsole();

const naughty = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('big-list-of-naughty-strings'), 'utf8'),
) as string[];

/** Texts that become a program where they are taken for HTML, a link or a style. */
const attacks = [
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '"><script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '![x](http://127.0.0.1:9/x.png)',
  '<a href="javascript:alert(1)">x</a>',
  '`</code><script>alert(1)</script>`',
  '<style>*{display:none}</style>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<base href="http://127.0.0.1:9/">',
  `</textarea><script>alert(1)</script>`,
  '{{constructor.constructor("alert(1)")()}}',
  'data:text/html,<script>alert(1)</script>',
  'x'.repeat(4_000),
  '> '.repeat(2_000),
  'ا'.repeat(300),
  '\u202Eevil\u202C \u0000\u0007',
];

/** Texts that a plan may hold. */
const usable = [...attacks, ...naughty].filter((text) => text.trim() !== '' && !text.includes('\u0000'));

/** A subtask for each group of texts, with them in every field that a page shows; its program prints them. */
function buildPlan(folder: string): object {
  const size = Math.ceil(usable.length / 24);
  const groups = Array.from({ length: 24 }, (_, index) => usable.slice(index * size, (index + 1) * size));
  const subtasks = groups.map((texts, index) => {
    const file = join(folder, `texts-${index}`);
    writeFileSync(file, `${texts.join('\n')}\n`);
    const description = texts.join('\n');
    return {
      id: `group-${index}`,
      description,
      criteria: texts.slice(0, 20),
      executor: { kind: 'command', run: ['sh', '-c', `cat ${file}; cat ${file} >&2; exit 1`, texts[0]] },
    };
  });
  return {
    goal: usable.slice(0, attacks.length - 1).join(' '),
    project: 'naughty',
    planApproval: true,
    ladder: [{ tier: 'assigned' }, { person: true }],
    subtasks,
  };
}

test.skipIf(chromiumPath === undefined)(
  'no text of a plan, a program or a person runs, leaves its place or breaks the policy',
  { timeout: 180_000 },
  async () => {
    const cli = stack.cli();
    const { page, origin, troubles } = await stack.open();
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(buildPlan(cli.cwd)));
    const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
    await until('the plan waits', async () => (await cli.jsonHere<unknown[]>('inbox')).length > 0);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) requests.push(request.url());
    });
    const look = async (path: string, shown: string): Promise<void> => {
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}${path}`);
        await page.locator(shown).locator('visible=true').first().waitFor({ timeout: 30_000 });
        expect([path, width, await overflowOf(page)]).toEqual([path, width, 0]);
      }
    };
    await look('/', '.asks');
    await look(`/tasks/${taskId}/decisions/plan-1`, '.steps, .graph');
    for (let index = 0; index < 24; index++) {
      await page.locator('.graph .node').nth(index).click();
      await page.locator('.said, .form').first().waitFor();
    }
    await cli.run('decide', taskId, 'plan-1', 'approve');
    await until('programs failed', async () => (await cli.jsonHere<unknown[]>('inbox')).length > 5, 60_000);
    await cli.run('steer', taskId, attacks.slice(0, 8).join(' '));
    await look(`/tasks/${taskId}`, '.loom .row');
    await look(`/tasks/${taskId}?tab=plan&subtask=group-0`, '.chosen .said');
    await look(`/tasks/${taskId}?tab=attempts&subtask=group-0`, '.output');
    await expect.poll(() => page.locator('.output').textContent()).toContain('<img src=x onerror=alert(1)>');
    await look(`/tasks/${taskId}?tab=report`, '.prose, pre.plain');
    await look(`/tasks/${taskId}/decisions/group-0-1`, '.options');
    await look('/tasks', '.task-row');
    await look('/failures', '.task-row');
    await look('/projects/naughty', '.panel');
    expect(troubles).toEqual([]);
    expect(requests).toEqual([]);
    await cli.run('cancel', taskId);
  },
);

const findViolations = `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`;

interface Violation {
  id: string;
  nodes: { html: string }[];
}

test.skipIf(chromiumPath === undefined)(
  'axe finds nothing on any page, light or dark, narrow or wide, or zoomed to 200 %',
  { timeout: 240_000 },
  async () => {
    const cli = stack.cli();
    const { page, origin, troubles } = await stack.open();
    const plan = {
      goal: 'Publish the release notes',
      project: 'website',
      ladder: [{ tier: 'assigned' }, { person: true }],
      subtasks: [
        {
          id: 'draft',
          description: 'Write NOTES.md',
          executor: { kind: 'command', run: ['sh', '-c', 'echo "# Notes" > NOTES.md'] },
          verify: ['grep -q Notes NOTES.md'],
        },
        {
          id: 'build',
          description: 'Build it',
          dependsOn: ['draft'],
          executor: {
            kind: 'command',
            run: ['sh', '-c', 'for i in $(seq 1 900); do echo "Rendering page $i of 900"; sleep 0.3; done'],
          },
        },
        {
          id: 'deploy',
          description: 'Deploy it',
          dependsOn: ['draft'],
          executor: {
            kind: 'command',
            run: ['sh', '-c', 'echo half > site.html; echo "the token for the pages site has expired" >&2; exit 77'],
          },
        },
        {
          id: 'announce',
          description: 'Tell the readers',
          dependsOn: ['deploy'],
          executor: { kind: 'command', run: ['echo', 'done'] },
        },
      ],
    };
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
    await until('it asks', async () =>
      (await cli.jsonHere<{ taskId: string }[]>('inbox')).some((question) => question.taskId === taskId),
    );
    const places: (readonly [path: string, shown: string])[] = [
      ['/', '.asks'],
      [`/tasks/${taskId}/decisions/deploy-1`, '.tries li'],
      [`/tasks/${taskId}?subtask=draft`, '.checks li'],
      [`/tasks/${taskId}?tab=plan&subtask=deploy`, '.chosen .said'],
      [`/tasks/${taskId}?tab=attempts&subtask=build`, '.output'],
      [`/tasks/${taskId}?tab=changes`, '.diff'],
      [`/tasks/${taskId}?tab=report`, '.prose h3'],
      ['/tasks', '.task-row'],
      ['/new', '.card'],
      ['/projects', '.task-row'],
      ['/projects/website', '.panel'],
      ['/failures', '.task-row'],
      ['/system', '.definition'],
      ['/sign-in', '.card'],
    ];
    const problems: string[] = [];
    for (const [path, shown] of places) {
      await page.setViewportSize({ width: 1280, height: 860 });
      await page.goto(`${origin}${path}`);
      await page.locator(shown).locator('visible=true').first().waitFor({ timeout: 30_000 });
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: width === 360 ? 780 : 860 });
          const violations = await page.evaluate<Violation[]>(findViolations);
          problems.push(
            ...violations.map(({ id, nodes }) => `${colorScheme} ${width} ${path}: ${id} ${nodes[0]?.html ?? ''}`),
          );
          if ((await overflowOf(page)) > 0) problems.push(`${width} ${path}: wider than its window`);
          if (path === '/' && `${colorScheme} ${width}` === 'light 1280') await picture(page, 'console-inbox');
          if (path.endsWith('?subtask=draft') && `${colorScheme} ${width}` === 'dark 1280')
            await picture(page, 'console-task');
        }
      }
    }
    expect(problems).toEqual([]);
    // A window that is zoomed to 200 % is half as wide.
    await page.setViewportSize({ width: 640, height: 430 });
    for (const [path, shown] of places) {
      await page.goto(`${origin}${path}`);
      await page.locator(shown).locator('visible=true').first().waitFor({ timeout: 30_000 });
      if ((await overflowOf(page)) > 0) problems.push(`200 %, ${path}: wider than its window`);
    }
    expect(problems).toEqual([]);
    expect(troubles).toEqual([]);
    await cli.run('cancel', taskId);
  },
);
