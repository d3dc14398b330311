const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Parses `500ms`, `30s`, `10m`, `2h`, `3d` to milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** Writes milliseconds as plans and configs have them: `30m`, `1500ms`. */
export function writeDuration(ms: number): string {
  const [unit, size] = Object.entries(units).findLast(([, length]) => ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

/** Formats milliseconds for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
