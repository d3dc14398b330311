import { formatCount } from './text.ts';

/** `900 bytes`, `64 kB`, `1.5 MB`, `21.35 GB`: as people read sizes, in powers of ten. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatCount(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  // Rounded up: what is just above a limit is not shown as the limit.
  if (bytes < 1_000_000_000) return `${Math.ceil(bytes / 10_000) / 100} MB`;
  return `${Math.ceil(bytes / 10_000_000) / 100} GB`;
}
