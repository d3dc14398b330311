import { formatCount } from './text.ts';

/** Formats a size in powers of ten: `900 bytes`, `64 kB`, `1.5 MB`, `21.35 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatCount(bytes, 'byte');
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  // Sizes are rounded up, so that a size slightly above a limit does not look like the limit.
  if (bytes < 1_000_000_000) return `${Math.ceil(bytes / 10_000) / 100} MB`;
  return `${Math.ceil(bytes / 10_000_000) / 100} GB`;
}
