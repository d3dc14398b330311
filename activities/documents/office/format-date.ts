import type { DateStyle } from './date-styles.ts';

const dayMs = 86_400_000;
/** The last day that spreadsheets know: 9999-12-31. */
const lastDay = 2_958_465;

/** A day number as a date, ISO 8601 without a zone. Undefined for a number that is no day: it is shown as it is. */
export function formatDate(value: number, style: DateStyle, date1904: boolean): string | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  if (style === 'duration') return formatDuration(value);
  const day = Math.floor(value);
  const seconds = Math.round((value - day) * 86_400);
  if (style === 'time' && day === 0) return clock(seconds);
  if (day > lastDay) return undefined;
  if (!date1904 && day === 60) return style === 'date' ? '1900-02-29' : `1900-02-29T${clock(seconds)}`;
  // The first spreadsheet took 1900 for a leap year, and all others keep its day numbers.
  const start = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30);
  const at = new Date(start + day * dayMs + seconds * 1_000).toISOString();
  return style === 'date' && seconds === 0 ? at.slice(0, 10) : at.slice(0, 19);
}

function formatDuration(days: number): string {
  const seconds = Math.round(days * 86_400);
  return `${Math.floor(seconds / 3_600)}:${clock(seconds % 3_600).slice(3)}`;
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
