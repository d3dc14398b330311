import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { FileIdentity, Trust } from '../../domain/config/layer.ts';
import { trustFile } from '../home/home-layout.ts';
import { ensureFolder, replaceFile, syncFolder } from '../system/durable-file.ts';
import { systemCode } from '../system/system-error.ts';

/* Records of the files that the user trusts, in the home: a small file for each project's file. Nothing in a project can write there. */

const recordSchema = z.strictObject({
  /** As in the identity: another file's record under this name means nothing. */
  path: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});

/** Reads whether the user trusts a file with exactly this content. A record that cannot be understood is never trust. */
export async function loadTrust(root: string, { path, sha256 }: FileIdentity): Promise<Trust> {
  let text: string;
  try {
    text = await readFile(trustFile(root, path), 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return 'unknown';
    if (code !== undefined && notReadable.includes(code)) return 'damaged';
    throw error;
  }
  const record = recordSchema.safeParse(tryParseJson(text));
  if (!record.success || record.data.path !== path) return 'damaged';
  return record.data.sha256 === sha256 ? 'trusted' : 'changed';
}

/** Something else is in its place. Other trouble of the machine may pass. */
const notReadable = ['EISDIR', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'];

/** Trusts a file with these bytes from now on; what was said about it before is replaced as a whole. */
export async function saveTrust(root: string, { path, sha256 }: FileIdentity): Promise<void> {
  const file = trustFile(root, path);
  await ensureFolder(dirname(file));
  const record: z.infer<typeof recordSchema> = { path, sha256, at: new Date().toISOString() };
  await replaceFile(file, `${JSON.stringify(record)}\n`, { durable: true });
}

/** Takes it back; false when there was nothing to take back. */
export async function forgetTrust(root: string, path: string): Promise<boolean> {
  const file = trustFile(root, path);
  try {
    await unlink(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  await syncFolder(dirname(file));
  return true;
}
