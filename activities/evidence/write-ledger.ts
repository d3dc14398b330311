import { mkdir } from 'node:fs/promises';
import { dirname, relative } from 'node:path';

import { formatCsv } from '../../domain/evidence/ledger-csv.ts';
import { formatLedger, mergeLedger, readLedger, type Ledger, type LedgerFacts } from '../../domain/evidence/ledger.ts';
import { readLedgerCsv } from '../../domain/evidence/read-ledger-csv.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';
import { replaceFile } from '../system/durable-file.ts';
import { readWhole } from './find-source.ts';

/** The CSV of a ledger and the JSON beside it, relative to the workspace. */
export const ledgerFiles = (path: string): { csv: string; json: string } => ({
  csv: path,
  json: path.replace(/\.csv$/iu, '.json'),
});

/** The file of the ledger is not one, or lies outside of the workspace. */
export class LedgerTrouble extends Error {
  override readonly name = 'LedgerTrouble';
}

/** Merges the records of a task into its ledger. What other tasks wrote there stays; a file that is no ledger is left as it is. */
export async function writeLedger(root: string, path: string, own: LedgerFacts): Promise<Ledger> {
  const { csv, json } = ledgerFiles(path);
  const places = { csv: await locate(root, csv), json: await locate(root, json) };
  const before = await readBefore(root, places);
  const ledger = mergeLedger([...before, own]);
  for (const real of Object.values(places)) await mkdir(dirname(real), { recursive: true });
  await replaceFile(places.csv, formatCsv(ledger.records), { durable: false });
  await replaceFile(places.json, formatLedger(ledger), { durable: false });
  return ledger;
}

/** A link that leads outside is not followed. */
async function locate(root: string, path: string): Promise<string> {
  const place = await resolveInWorkspace(root, path);
  if (place.kind === 'file' || place.kind === 'missing') return place.real;
  throw new LedgerTrouble(`${path} is ${place.kind === 'outside' ? 'outside of the workspace' : 'no file'}.`);
}

/** Rows that only the CSV has are kept too. */
async function readBefore(root: string, { csv, json }: { csv: string; json: string }): Promise<LedgerFacts[]> {
  const [rows, whole] = [await readText(root, csv), await readText(root, json)];
  const facts = whole === undefined ? undefined : readLedger(whole);
  if (whole !== undefined && facts === undefined) throw notOurs(root, json);
  const records = rows === undefined ? [] : readLedgerCsv(rows);
  if (records === undefined) throw notOurs(root, csv);
  const ids = new Set(facts?.records.map(({ task, id }) => `${task}\0${id}`));
  const others = records.filter(({ task, id }) => !ids.has(`${task}\0${id}`));
  return [...(facts === undefined ? [] : [facts]), { records: others, targets: [] }];
}

const notOurs = (root: string, path: string): LedgerTrouble =>
  new LedgerTrouble(`${relative(root, path)} is there and is no ledger; it was left as it is.`);

/** Undefined: it is not there. */
async function readText(root: string, real: string): Promise<string | undefined> {
  const place = await resolveInWorkspace(root, relative(root, real));
  if (place.kind === 'missing') return undefined;
  const bytes = await readWhole(real, activityLimits.evidence.ledgerBytes);
  if (bytes === undefined) throw notOurs(root, real);
  return bytes.toString('utf8');
}
