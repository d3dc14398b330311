// A person with nothing but the Temporal Web UI reads and answers an encrypted task: the guard before it has the keys.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plan, readDetails, sendUpdate } from '../../browser/web-ui-steps.ts';
import { chromiumPath, useBrowser } from '../../support/browser.ts';
import { Cli, until } from '../../support/cli.ts';

const openPage = useBrowser(() => Promise.resolve({}));

test.skipIf(chromiumPath === undefined)(
  'the Web UI shows an encrypted question and its history in plain text, and takes the answer',
  async () => {
    const cli = new Cli();
    const file = join(cli.cwd, 'keys');
    expect((await cli.here('codec', 'new-key', file)).code).toBe(0);
    cli.env['HEDDLE_CODEC_KEYS'] = file;
    writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify(plan));
    const { webUi } = await cli.json<{ webUi: string }>('up', '--background');
    expect((await cli.here('run', 'plan.json', '--id', 'notes', '--exit-on-decision')).code).toBe(3);

    const page = await openPage();
    await page.goto(`${webUi}/namespaces/default/workflows/task-notes`);
    await page.getByText('Publish the release notes').first().waitFor();
    await page.getByRole('link', { name: 'User Metadata' }).or(page.getByText('User Metadata')).first().click();
    expect(await readDetails(page)).toContain('publish needs credentials or settings that are missing or not accepted');
    await sendUpdate(page, { decisionId: 'publish-1', option: 'retry' });
    await until(
      'it ends',
      async () => (await cli.jsonHere<{ state: string }>('status', 'notes')).state === 'completed',
    );
  },
  120_000,
);
