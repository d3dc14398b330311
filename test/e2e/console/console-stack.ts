import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { Cli, useHome } from '../../support/cli.ts';

export interface ConsoleStack {
  /** A command line with the home of the stack. */
  cli(): Cli;
  /** Starts the service where it does not run. */
  up(): Promise<{ origin: string; pid: number }>;
  /** A page that the person of this machine has opened by `heddle open`. */
  open(): Promise<ConsolePage>;
  /** Another person's page: another browser profile, signed in by a token. */
  openAs(name: string, role: 'viewer' | 'decider' | 'operator'): Promise<ConsolePage>;
}

export interface ConsolePage {
  page: Page;
  origin: string;
  /** Dialogs, violations of the policy and errors of the page: all that must not be. */
  troubles: string[];
  go(path: string): Promise<void>;
}

/** Call at the top of a test file: one home, one service with its API and console, one browser for all tests of the file. */
export function useConsole(): ConsoleStack {
  const home = useHome();
  const openPage = useBrowser(() => Promise.resolve({}));
  const cli = (): Cli => new Cli({ HEDDLE_HOME: home() });
  const up = async (): Promise<{ origin: string; pid: number }> => {
    const { console: origin, pid } = await cli().json<{ console: string; pid: number }>('up', '--background');
    return { origin, pid };
  };
  const open = async (): Promise<ConsolePage> => {
    const { origin } = await up();
    const { url } = await cli().json<{ url: string }>('open', '--print');
    const page = await (await otherProfile(await openPage())).newPage();
    const opened = watch(page, origin);
    await page.goto(url);
    await expect.poll(() => page.url()).toBe(`${origin}/`);
    await page.getByRole('link', { name: 'Needs you' }).waitFor();
    return opened;
  };
  const openAs: ConsoleStack['openAs'] = async (name, role) => {
    const { origin } = await up();
    const { token } = await cli().json<{ token: string }>('auth', 'token', 'add', name, '--role', role);
    const context = await otherProfile(await openPage());
    const page = await context.newPage();
    const opened = watch(page, origin);
    await page.goto(`${origin}/`);
    await page.getByLabel('Your token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Needs you' }).waitFor();
    return opened;
  };
  return { cli, up, open, openAs };
}

async function otherProfile(page: Page): Promise<BrowserContext> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  return context;
}

/** Notes everything that a page of ours must never do. */
export function watch(page: Page, origin: string): ConsolePage {
  const troubles: string[] = [];
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(message.text())) troubles.push(message.text());
  });
  return {
    page,
    origin,
    troubles,
    go: async (path) => {
      await page.goto(`${origin}${path}`);
    },
  };
}

/** Starts a task that asks a person at once. */
export async function startAsking(cli: Cli, goal: string, seconds = 0): Promise<string> {
  const subtask = {
    id: 'deploy',
    description: 'Deploy',
    executor: { kind: 'command', run: ['sh', '-c', 'echo the token has expired >&2; exit 77'] },
  };
  const waits = { id: 'wait', description: 'Wait', executor: { kind: 'command', run: ['sleep', String(seconds)] } };
  writeFileSync(
    join(cli.cwd, 'plan.json'),
    JSON.stringify({ goal, subtasks: seconds === 0 ? [subtask] : [subtask, waits] }),
  );
  const { taskId } = await cli.json<{ taskId: string }>('run', 'plan.json', '--detach');
  return taskId;
}

/** The page is not wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
}
