import { chmod, copyFile, link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';

import type { Ref } from '../../domain/types/basic/ref.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { ensureFolder, syncFile, syncFolder, writeTemporary } from '../system/durable-file.ts';
import { hashFile, sha256 } from '../system/hash-file.ts';
import { claimFile, objectFile, storeFolders } from './store-layout.ts';
import type { Claim, ClaimKey, Store } from './store.ts';
import { systemCode } from '../system/system-error.ts';

/**
 * The store on files of one machine. An object appears by one atomic step after its bytes are on disk, so a reader, a crash or a
 * full disk never meets half of one; system errors such as ENOSPC reach the caller as they are.
 */
export class FileStore implements Store {
  readonly root: string;
  readonly #temporary: string;

  constructor(root: string) {
    this.root = resolve(root);
    this.#temporary = storeFolders.temporary(this.root);
  }

  async put(bytes: Uint8Array | string): Promise<Ref> {
    const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const ref = { sha256: sha256(content), bytes: content.byteLength };
    if (await this.#keep(ref)) return ref;
    await ensureFolder(this.#temporary);
    await this.#publish(await writeTemporary(this.#temporary, content), ref);
    return ref;
  }

  async putFile(path: string): Promise<Ref> {
    const ref = await hashFile(path);
    if (await this.#keep(ref)) {
      await unlink(path);
      return ref;
    }
    await syncFile(path);
    await chmod(path, 0o444);
    try {
      await this.#publish(path, ref);
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      await this.#publish(await this.#copy(path), ref);
      await unlink(path);
    }
    return ref;
  }

  async get(ref: Ref): Promise<Buffer> {
    const bytes = await this.#read(ref, (file) => file.readFile());
    if (bytes.byteLength !== ref.bytes || sha256(bytes) !== ref.sha256) throw damaged(ref);
    return bytes;
  }

  async head(ref: Ref, bytes: number): Promise<Buffer> {
    return this.#slice(ref, 0, Math.min(bytes, ref.bytes));
  }

  async tail(ref: Ref, bytes: number): Promise<Buffer> {
    const start = Math.max(0, ref.bytes - bytes);
    return this.#slice(ref, start, ref.bytes - start);
  }

  async file(ref: Ref): Promise<string> {
    await this.#slice(ref, 0, 0);
    return this.path(ref);
  }

  /** The path of an object, whether it exists or not. */
  path(ref: Ref): string {
    return objectFile(this.root, ref.sha256);
  }

  async claim(key: ClaimKey, value: string): Promise<Claim> {
    const path = claimFile(this.root, key);
    const folder = dirname(path);
    await ensureFolder(folder);
    await ensureFolder(this.#temporary);
    const temporary = await writeTemporary(this.#temporary, JSON.stringify({ ...key, value }));
    let mine = true;
    try {
      // link(2) fails when the name exists: the one step that decides between processes.
      await link(temporary, path);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      mine = false;
    } finally {
      await unlink(temporary);
    }
    // The loser waits for the disk too: it must not act on a claim that a power cut could still undo.
    await syncFolder(folder);
    return { mine, value: mine ? value : claimedValue(await readFile(path, 'utf8'), key) };
  }

  async peek(key: ClaimKey): Promise<string | undefined> {
    const path = claimFile(this.root, key);
    try {
      const value = claimedValue(await readFile(path, 'utf8'), key);
      await syncFolder(dirname(path));
      return value;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Is it there already? Then it counts as used now, so that retention by age does not take it away. */
  async #keep(ref: Ref): Promise<boolean> {
    const path = this.path(ref);
    try {
      if ((await stat(path)).size !== ref.bytes) return false;
      const now = new Date();
      await utimes(path, now, now);
      await syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async #publish(temporary: string, ref: Ref): Promise<void> {
    const path = this.path(ref);
    try {
      await ensureFolder(dirname(path));
      // Not link: the name is the content, so replacing an object is harmless, and mends a damaged one.
      await rename(temporary, path);
    } catch (error) {
      if (dirname(temporary) === this.#temporary) await unlink(temporary);
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async #copy(path: string): Promise<string> {
    await ensureFolder(this.#temporary);
    const copy = join(this.#temporary, `copy-${randomBytes(12).toString('hex')}`);
    try {
      await copyFile(path, copy);
      await syncFile(copy);
    } catch (error) {
      await unlink(copy).catch(() => undefined);
      throw error;
    }
    return copy;
  }

  #slice(ref: Ref, start: number, length: number): Promise<Buffer> {
    return this.#read(ref, async (file, size) => {
      if (size !== ref.bytes) throw damaged(ref);
      const buffer = Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled);
        if (bytesRead === 0) throw damaged(ref);
        filled += bytesRead;
      }
      return buffer;
    });
  }

  /** Reading is use: a later run may refer to what an earlier one stored long ago. */
  async #read(ref: Ref, read: (file: FileHandle, size: number) => Promise<Buffer>): Promise<Buffer> {
    const file = await open(this.path(ref), 'r').catch((error: unknown) => refuse(ref, error));
    try {
      const { size, mtimeMs } = await file.stat();
      const bytes = await read(file, size);
      if (Date.now() - mtimeMs > activityLimits.storeUseNoted) await noteUse(file);
      return bytes;
    } finally {
      await file.close();
    }
  }
}

/** A reader who may not write the store reads all the same. */
async function noteUse(file: FileHandle): Promise<void> {
  const now = new Date();
  await file.utimes(now, now).catch((error: unknown) => {
    if (!['EPERM', 'EACCES', 'EROFS'].includes(systemCode(error) ?? '')) throw error;
  });
}

function refuse(ref: Ref, error: unknown): never {
  if (systemCode(error) !== 'ENOENT') throw error;
  throw new HeddleError({
    code: 'STORE_MISSING',
    message: `the stored object ${ref.sha256.slice(0, 12)} (${ref.bytes} bytes) does not exist`,
    hint: 'It was pruned, or HEDDLE_HOME is not the one it was stored in.',
  });
}

function damaged(ref: Ref): HeddleError {
  return new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the stored object ${ref.sha256.slice(0, 12)} has changed since it was stored`,
    hint: 'Something changed the file, or the disk is failing.',
  });
}

function claimedValue(text: string, { name }: ClaimKey): string {
  try {
    const claim: unknown = JSON.parse(text);
    if (typeof claim === 'object' && claim !== null && 'value' in claim && typeof claim.value === 'string')
      return claim.value;
  } catch {
    // Falls through: a claim that cannot be read is the same as one of a wrong shape.
  }
  throw new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the claim "${name.slice(0, 80)}" cannot be read`,
    hint: 'Something changed the file, or the disk is failing.',
  });
}
