import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine; playwright-core brings none. `HEDDLE_CHROMIUM` names one elsewhere. */
export const chromiumPath = [process.env['HEDDLE_CHROMIUM'] ?? '', ...places].find((path) => existsSync(path));

// CI must not pass without having looked.
if (chromiumPath === undefined && process.env['HEDDLE_REQUIRE_CHROMIUM'] === '1')
  throw new Error('no Chromium was found: install it (Debian: apt-get install chromium) or set HEDDLE_CHROMIUM');

/** Nothing of a page may leave this machine, and neither may the browser's own chatter. */
const quiet = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  // Newer ones ask a person before a page may speak to this machine; what is tested must hold in the others too.
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** `names` are hosts that lead to an address of this machine, as a resolver of somebody else could make them. */
type Names = Readonly<Record<string, string>>;

/** Call at the top of a test file: gives pages of one browser for all its tests, which is started for the first of them. */
export function useBrowser(names: () => Promise<Names>): () => Promise<Page> {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser?.catch(() => undefined))?.close());
  return async () => {
    browser ??= names().then(launch);
    const page = await (
      await browser
    ).newPage({
      viewport: { width: 1280, height: 860 },
      timezoneId: 'UTC',
      locale: 'en-US',
      // What moves is drawn again and again.
      reducedMotion: 'reduce',
    });
    onTestFinished(() => page.close());
    return page;
  };
}

function launch(names: Names): Promise<Browser> {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`);
  const resolver = [...rules, 'MAP * ~NOTFOUND', 'EXCLUDE 127.*'].join(' , ');
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [...quiet, `--host-resolver-rules=${resolver}`],
  });
}

/** Pictures for the documents are taken only when somebody asks for them: `HEDDLE_SCREENSHOTS=docs/images`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['HEDDLE_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
