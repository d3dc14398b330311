// Checks look at files as they are, and say nothing of the secrets that they find there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { redactContract, redactFindings } from '../../../activities/redact/redact-results.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { redactInspector } from '../../../activities/verify/redact-findings.ts';
import { runVerifyCommands } from '../../../activities/verify/commands/run-verify-commands.ts';
import { createTextInspector } from '../../../activities/verify/inspect/text-inspector.ts';
import type { Issue } from '../../../domain/types/attempt.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { filesBelow, leaksIn, makeSecrets } from '../redact/support.ts';

const secrets = makeSecrets();
const redactor = new Redactor(secrets);

test('a verify command that prints a file with secrets: not in its issue, its summary or its stored output', async () => {
  const folder = await temporaryFolder();
  const [root, scratch] = [join(folder, 'workspace'), join(folder, 'scratch')];
  await Promise.all([mkdir(root), mkdir(scratch)]);
  await writeFile(
    join(root, '.env'),
    Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const store = new FileStore(join(folder, 'store'));
  const { issues, commands } = await runVerifyCommands(
    { verify: [`cat .env; printf '%4064s' ''; cat .env >&2; exit 1`, 'cat .env'] },
    {
      root,
      scratch,
      env: { PATH: process.env.PATH ?? '' },
      keep: (path) => store.putFile(path),
      timeout: 20_000,
      killGrace: 100,
      redactor,
      signal: new AbortController().signal,
      onCommand: () => undefined,
    },
  );
  expect(commands.map(({ exit }) => exit)).toEqual([1, 0]);
  expect(commands[1]?.summary).toContain('[TLS_KEY]');
  const shown = [JSON.stringify([issues, commands]), ...filesBelow(store.root).map(({ text }) => text)];
  expect(leaksIn(shown.join('\n'), secrets)).toEqual([]);
  expect(shown.join('\n')).toContain('GH_PAT=[GH_PAT]');
});

test('a rule finds a secret in a file, and its line is told without what stands there', async () => {
  const inspector = redactInspector(createTextInspector(), redactor);
  const most = activityLimits.findingsPerFile;
  const findings = async (text: string) => inspector.inspect({ kind: 'pattern', text, pattern: 'ghp_\\w+', most });
  try {
    expect(await findings(`one\ntwo ${'x'.repeat(60)}${secrets.GH_PAT}${'y'.repeat(60)}\n`)).toEqual({
      end: 'done',
      findings: ['line 2: not shown, because the text contains the value of a variable that is kept secret'],
    });
    expect(await findings('ghp_other\n')).toEqual({ end: 'done', findings: ['line 1: ghp_other'] });
    expect(await findings('nothing\n')).toEqual({ end: 'done', findings: [] });
  } finally {
    await inspector.close();
  }
});

test.each([
  ['json', `{"url": "${secrets.DATABASE_URL}", broken ${secrets.GH_PAT}}`],
  ['yaml', `url: "${secrets.DATABASE_URL}\npat: [${secrets.GH_PAT}`],
  ['toml', `pat = ${secrets.GH_PAT} and more`],
  ['js', `const pat = '${secrets.GH_PAT};\n`],
] as const)('a parser of %s quotes nothing of a file that holds a secret', async (language, text) => {
  const plain = createTextInspector();
  const inspector = redactInspector(plain, redactor);
  try {
    const result = await inspector.inspect({ kind: 'syntax', text, language });
    if (result.end !== 'done') throw new Error(`ended: ${result.end}`);
    expect(result.findings.length).toBeGreaterThan(0);
    for (const finding of result.findings) expect(finding).toMatch(/^(line \d+: )?not shown, because/);
    const other = await inspector.inspect({
      kind: 'syntax',
      text: text.replace(/ghp_\w+|p4ssw0rd/g, 'other'),
      language,
    });
    expect(JSON.stringify(other)).not.toContain('not shown');
  } finally {
    await plain.close();
  }
});

test('every text of a verdict is without them, before it is cut', () => {
  const issue: Issue = {
    code: 'contract-mismatch',
    severity: 'hard',
    message: `${'m'.repeat(290)}${secrets.DATABASE_URL}`,
    path: `keys/${secrets.GH_PAT}`,
    details: secrets.TLS_KEY,
  };
  const findings = redactFindings(
    {
      issues: [issue, { code: 'partial', severity: 'advisory', message: 'said so' }],
      commands: [{ command: `curl ${secrets.SLACK_WEBHOOK}`, exit: 1, summary: secrets.GH_PAT }],
      files: [{ path: `keys/${secrets.GH_PAT}`, state: 'created', lines: 1 }],
    },
    redactor,
  );
  expect(leaksIn(JSON.stringify(findings), secrets)).toEqual([]);
  expect(findings.issues[0]).toMatchObject({ message: `${'m'.repeat(290)}[DATABASE_URL]`, path: 'keys/[GH_PAT]' });
  expect(findings.issues[1]).toEqual({ code: 'partial', severity: 'advisory', message: 'said so' });
});

test('every text of a completion contract is without them, and nothing is added to it', () => {
  const contract = redactContract(
    { status: 'success', notes: `used ${secrets.GH_PAT}`, deliverablesTouched: ['a.md', secrets.GH_PAT], costUsd: 1 },
    redactor,
  );
  expect(contract).toEqual({
    status: 'success',
    notes: 'used [GH_PAT]',
    deliverablesTouched: ['a.md', '[GH_PAT]'],
    costUsd: 1,
  });
  expect(redactContract({ status: 'failed' }, redactor)).toEqual({ status: 'failed' });
});
