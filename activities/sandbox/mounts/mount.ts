/** Something that a command sees, and how. */
export type Mount =
  | {
      kind: 'read' | 'write';
      at: string;
      from: string;
      /** Set where a link may take its place at any moment: it is opened and looked at, and that is what is seen. A path that went away, or was replaced, ends the start, or with `if-there` is skipped. */
      held?: true | 'if-there';
      /** Its descriptor, once it is open. */
      descriptor?: number;
    }
  /** A folder in memory, gone with the command. */
  | { kind: 'memory'; at: string; bytes: number; mode?: string }
  | { kind: 'link'; at: string; to: string }
  /** A small file that only it sees. */
  | { kind: 'text'; at: string; text: string }
  | { kind: 'processes' | 'devices'; at: string };

/** Tells whether a path is a folder itself, or leads below it. */
export const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Tells whether a path of the machine is seen at its own place. */
export const isSeen = (mounts: readonly Mount[], path: string): boolean =>
  mounts.some((mount) => isOfMachine(mount) && isBelow(mount.at, path));

const isOfMachine = ({ kind }: Mount): boolean => kind === 'read' || kind === 'write';

/**
 * A deeper mount comes later, over the one that it lies in; of two in one place the last counts. Links and small files are only put where
 * nothing of the machine is, which would have to be changed for it.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = [...new Map(mounts.map((mount) => [mount.at, mount])).values()];
  const ofMachine = last.filter(isOfMachine);
  return last
    .filter(({ kind, at }) => (kind !== 'link' && kind !== 'text') || !isSeen(ofMachine, at))
    .sort((a, b) => countParts(a.at) - countParts(b.at));
}

const countParts = (path: string): number => path.split('/').filter((part) => part !== '').length;
