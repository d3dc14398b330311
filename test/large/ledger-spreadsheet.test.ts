// LibreOffice opens the ledger: no cell is a formula. `HEDDLE_LARGE=1 npx vitest run test/large/ledger-spreadsheet.test.ts`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatCsv } from '../../domain/evidence/ledger-csv.ts';
import type { EvidenceRecord } from '../../domain/types/basic/evidence.ts';

const hasOffice = spawnSync('soffice', ['--version']).status === 0;
const formulas = [
  '=1+1',
  '\n=1+1',
  ' =1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  '\uff1d1+1',
  '+1+1',
  '-1+1',
  '@SUM(1;1)',
  '\t=1+1',
  '"=1+1"',
];

test.skipIf(!hasOffice)('no cell of a ledger is a formula in LibreOffice', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const record = (claim: string): EvidenceRecord => ({
    ...{ id: 'a/E1', claim, quote: claim, target: claim, source: { kind: 'other', at: claim }, quality: 'claimed' },
    ...{ by: 'program', subtask: 'a', attempt: 1, task: 't', at: '2026-01-01T00:00:00.000Z' },
  });
  writeFileSync(join(folder, 'ledger.csv'), formatCsv(formulas.map(record)));
  // The control: the same texts without our care are formulas.
  writeFileSync(join(folder, 'naive.csv'), formulas.map((text) => `"${text.replaceAll('"', '""')}"\r\n`).join(''));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  // 44, 34, 76: comma, quote, UTF-8; the last three: no quoted field as text, detect numbers, evaluate formulas.
  const filter = '--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,-1,true';
  const convert = ['--headless', '--norestore', profile, filter, '--convert-to', 'fods', '--outdir', folder];
  execFileSync('soffice', [...convert, join(folder, 'ledger.csv'), join(folder, 'naive.csv')], { stdio: 'ignore' });
  const [ledger, naive] = ['ledger', 'naive'].map((name) => readFileSync(join(folder, `${name}.fods`), 'utf8'));
  expect(ledger).toContain('&apos;=1+1');
  expect(ledger).not.toContain('table:formula=');
  expect(naive).toContain('table:formula=');
});
