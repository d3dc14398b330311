import { constants, existsSync } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../system/system-error.ts';
import { PathProblem } from './path-problem.ts';

/**
 * A folder that is held, whatever happens to its name meanwhile: a path through its open handle leads to that folder even when somebody
 * puts a link in its place. Where the system knows no such paths, the name is looked at before and after instead.
 */
export class HeldFolder {
  readonly #handle: FileHandle;
  /** Below it the folder's entries are found. */
  readonly #prefix: string;
  /** The path at which it was opened. */
  readonly #real: string;

  private constructor(handle: FileHandle, real: string, way: HoldingWay) {
    this.#handle = handle;
    this.#real = real;
    this.#prefix = way === 'handle' ? `${handles}/${handle.fd}` : real;
  }

  /** `real` passes through no link. */
  static async open(real: string, way: HoldingWay = holdingWay): Promise<HeldFolder> {
    return new HeldFolder(await open(real, folderFlags), real, way);
  }

  /** A folder directly inside; fails for a link. */
  async openInside(name: string | Buffer): Promise<HeldFolder> {
    const way = this.#prefix === this.#real ? 'name' : 'handle';
    const handle = await open(this.at(name), folderFlags);
    return new HeldFolder(handle, join(this.#real, name.toString()), way);
  }

  at(name: string): string;
  at(name: string | Buffer): string | Buffer;
  /** A path to an entry. Names need not be UTF-8. */
  at(name: string | Buffer): string | Buffer {
    return typeof name === 'string'
      ? `${this.#prefix}/${name}`
      : Buffer.concat([Buffer.from(`${this.#prefix}/`), name]);
  }

  /** The folder itself. */
  get path(): string {
    return this.#prefix;
  }

  /** The path at which it was opened. */
  get real(): string {
    return this.#real;
  }

  /** Fails when the folder is no longer where it was found. */
  async check(): Promise<void> {
    const now = await (this.#prefix === this.#real ? realpath(this.#real) : readlink(this.#prefix)).catch(
      () => undefined,
    );
    if (now !== this.#real) throw new PathProblem('moved', 'A folder on the way was moved or replaced meanwhile.');
  }

  async isLink(name: string): Promise<boolean> {
    try {
      return (await lstat(this.at(name))).isSymbolicLink();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** An entry that was created, renamed or removed in it survives a power cut. */
  async sync(): Promise<void> {
    await this.#handle.sync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** How a folder is held: by its open handle, or by its name where the system shows no handles as paths. */
export type HoldingWay = 'handle' | 'name';

const handles = '/proc/self/fd';
const holdingWay: HoldingWay = process.platform === 'linux' && existsSync(handles) ? 'handle' : 'name';
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
