import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { apiFiles } from '../../activities/home/home-layout.ts';
import { systemCode } from '../../activities/system/system-error.ts';
import { inHome, makeFolder, type HeddleHome } from '../home/home.ts';

/** 32 random bytes behind a mark by which a secret scanner knows them. */
export const newToken = (): string => `hdl_${randomBytes(32).toString('base64url')}`;

const tokenForm = /^hdl_[A-Za-z0-9_-]{43}$/;

/**
 * The key of a home, made when it is first asked for. A program that reads it works as the user of this machine. An agent in a
 * sandbox reaches every service here, but not the home.
 */
export function homeKey({ run }: Pick<HeddleHome, 'run'>): string {
  const file = apiFiles(run).key;
  const kept = readKey(file);
  if (kept !== undefined) return kept;
  makeFolder(run);
  const key = newToken();
  inHome(file, () => {
    const part = `${file}.${process.pid}`;
    writeFileSync(part, `${key}\n`, { mode: 0o600 });
    renameSync(part, file);
  });
  // Another process may have made one at the same moment: the last one holds for all.
  return readKey(file) ?? key;
}

/** A key that others may have read does not count: it is replaced. */
function readKey(file: string): string | undefined {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || (stats.mode & 0o077) !== 0) return undefined;
    const key = readFileSync(file, 'utf8').trim();
    return tokenForm.test(key) ? key : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    return inHome(file, () => {
      throw error;
    });
  }
}

/** Signs a text for one purpose: a signature of another purpose is another one. */
export const sign = (key: string, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url');
