/** Times, amounts and counts as people read them. */

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export function formatClock(time: string | number): string {
  const date = new Date(time);
  const clock = clockFormat.format(date);
  return Date.now() - date.getTime() < 20 * 3_600_000 ? clock : `${dayFormat.format(date)} ${clock}`;
}

export function formatSpan(ms: number): string {
  if (ms < 10_000) return `${Math.max(0, Math.round(ms / 100) / 10)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
}

export const formatAgo = (time: string, now: number): string => {
  const ms = now - Date.parse(time);
  return ms < 60_000 ? 'now' : formatSpan(ms);
};

export const formatUsd = (usd: number): string => (usd > 0 && usd < 0.005 ? '< 0.01' : usd.toFixed(2));

export const formatNumber = (value: number): string => value.toLocaleString('en-US');

export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;

export const formatList = (names: readonly string[], most = 4): string => {
  if (names.length > most) return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
};

export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
};
