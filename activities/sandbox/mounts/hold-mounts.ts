import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { inOrder, type Mount } from './mount.ts';

/** Something is no longer what it was when it was looked at. */
export class MountReplacedError extends Error {
  override readonly name = 'Swapped';

  constructor(path: string) {
    super(`${path} was replaced, or cannot be opened any more`);
  }
}

/** Uses mounts whose held ones are open: whatever happens to their names meanwhile, these are what a command sees. */
export async function withHeld<T>(mounts: readonly Mount[], use: (mounts: Mount[]) => Promise<T>): Promise<T> {
  const handles: FileHandle[] = [];
  try {
    const held: Mount[] = [];
    for (const mount of inOrder(mounts)) {
      if ((mount.kind !== 'read' && mount.kind !== 'write') || mount.held === undefined) held.push(mount);
      else held.push(...(await holdMount(mount, handles)));
    }
    return await use(held);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function holdMount(
  mount: Extract<Mount, { kind: 'read' | 'write' }>,
  handles: FileHandle[],
): Promise<[Mount] | []> {
  try {
    return [{ ...mount, descriptor: await hold(mount.from, handles) }];
  } catch (error) {
    if (mount.held === 'if-there' && error instanceof MountReplacedError) return [];
    throw error;
  }
}

/** A pipe in its place must not make us wait for its writer. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function hold(path: string, handles: FileHandle[]): Promise<number> {
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) throw new MountReplacedError(path);
  handles.push(handle);
  if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== path) throw new MountReplacedError(path);
  return handle.fd;
}
