import { SnapshotTrouble } from './snapshot-trouble.ts';
import type { ShadowRepository } from './shadow-repository.ts';

/** Bytes that are read at once; a larger file comes alone. */
const groupBytes = 32 * 1024 * 1024;

/** The bytes of a blob, checked by git against its id. */
export async function readBlob(repository: ShadowRepository, oid: string, deadline: number): Promise<Buffer> {
  return (await repository.git(['cat-file', 'blob', oid], { deadline })).stdout;
}

/** Many blobs with few calls, each handed on before the next ones are read. */
export async function eachBlob<T extends { oid: string }>(
  repository: ShadowRepository,
  items: readonly T[],
  deadline: number,
  use: (item: T, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const sizes = await readSizes(
    repository,
    items.map(({ oid }) => oid),
    deadline,
  );
  for (let at = 0; at < items.length;) {
    const group: T[] = [];
    for (let bytes = 0; at < items.length; at += 1) {
      bytes += sizes[at] ?? 0;
      const item = items[at];
      if (item === undefined || (group.length > 0 && bytes > groupBytes)) break;
      group.push(item);
    }
    const blobs = await readSome(
      repository,
      group.map(({ oid }) => oid),
      deadline,
    );
    for (const [index, item] of group.entries()) {
      const bytes = blobs[index];
      if (bytes === undefined) throw lost(item.oid);
      await use(item, bytes);
    }
  }
}

async function readSizes(repository: ShadowRepository, oids: readonly string[], deadline: number): Promise<number[]> {
  if (oids.length === 0) return [];
  const stdin = oids.map((oid) => `${oid}\n`).join('');
  const { stdout } = await repository.git(['cat-file', '--batch-check'], { stdin, deadline });
  return stdout
    .toString('latin1')
    .split('\n')
    .map((line) => Number(line.split(' ')[2] ?? 0));
}

async function readSome(repository: ShadowRepository, oids: readonly string[], deadline: number): Promise<Buffer[]> {
  const stdin = oids.map((oid) => `${oid}\n`).join('');
  const { stdout } = await repository.git(['cat-file', '--batch'], { stdin, deadline });
  const blobs: Buffer[] = [];
  let at = 0;
  for (const oid of oids) {
    const end = stdout.indexOf('\n', at);
    const [name, kind, size] = stdout.toString('latin1', at, end).split(' ');
    const bytes = stdout.subarray(end + 1, end + 1 + Number(size));
    // Fewer bytes than announced would be written as a file that was cut short.
    if (name !== oid || kind !== 'blob' || bytes.length !== Number(size)) throw lost(oid);
    blobs.push(bytes);
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}

const lost = (oid: string): SnapshotTrouble =>
  new SnapshotTrouble(`the stored file ${oid.slice(0, 12)} is gone or damaged`);
