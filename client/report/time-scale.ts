import { formatDuration } from '../../domain/text/duration.ts';

export interface Span {
  from: number;
  to: number;
}

export interface TimeScale {
  /** The position of a time, in pixels from the left. */
  at(time: number): number;
  /** Idle times that are drawn shorter than they were. */
  cuts: { x: number; width: number; ms: number }[];
  /** Time since the start. */
  ticks: { x: number; label: string }[];
}

/** An idle time longer than this share of the busy time is cut: a night's wait for an answer must not squeeze the work to a line. */
const idleShare = 0.3;
const cutWidth = 26;
/** All cuts together take no more of the width than this. */
const cutShare = 0.35;
const mostTicks = 7;
const tickDistance = 76;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];

interface Segment extends Span {
  cut: boolean;
  x: number;
  width: number;
}

/** A time axis over the spans in which something ran, with long idle times cut out. */
export function timeScale(spans: readonly Span[], whole: Span, width: number): TimeScale {
  const segments = layOut(buildSegments(busyTimes(spans), whole), width);
  const at = (time: number): number => {
    const segment = segments.find(({ to }) => time <= to) ?? segments.at(-1);
    if (segment === undefined) return 0;
    const share = (time - segment.from) / Math.max(1, segment.to - segment.from);
    return segment.x + Math.min(1, Math.max(0, share)) * segment.width;
  };
  const cuts = segments
    .filter(({ cut }) => cut)
    .map(({ from, to, x, width: wide }) => ({ x, width: wide, ms: to - from }));
  return { at, cuts, ticks: buildTicks(segments, whole.from, width) };
}

/** The spans, joined where they touch. */
function busyTimes(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

function buildSegments(busy: readonly Span[], whole: Span): (Span & { cut: boolean })[] {
  const longest = idleShare * Math.max(1, sumSpans(busy));
  const segments: (Span & { cut: boolean })[] = [];
  let end = whole.from;
  for (const { from, to } of [...busy, { from: whole.to, to: whole.to }]) {
    const last = segments.at(-1);
    if (from - end > longest) segments.push({ from: end, to: from, cut: true }, { from, to, cut: false });
    else if (last === undefined) segments.push({ from: end, to, cut: false });
    else last.to = Math.max(last.to, to);
    end = Math.max(end, to);
  }
  return segments.filter(({ from, to }) => to > from);
}

const sumSpans = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

function layOut(segments: readonly (Span & { cut: boolean })[], width: number): Segment[] {
  const count = segments.filter(({ cut }) => cut).length;
  const perCut = count === 0 ? 0 : Math.min(cutWidth, (cutShare * width) / count);
  const perMs = (width - count * perCut) / Math.max(1, sumSpans(segments.filter(({ cut }) => !cut)));
  let x = 0;
  return segments.map((segment) => {
    const placed = { ...segment, x, width: segment.cut ? perCut : (segment.to - segment.from) * perMs };
    x += placed.width;
    return placed;
  });
}

function buildTicks(segments: readonly Segment[], start: number, width: number): TimeScale['ticks'] {
  const shown = segments.filter(({ cut }) => !cut);
  const step = steps.find((candidate) => sumSpans(shown) / candidate <= mostTicks) ?? 365 * day;
  const ticks: TimeScale['ticks'] = [];
  const add = (x: number, ms: number): void => {
    const last = ticks.at(-1);
    if (last !== undefined && x - last.x < tickDistance) return;
    // A label at the very end would hang out of the picture.
    if (x > width - tickDistance / 2 && ticks.length > 0) return;
    ticks.push({ x, label: formatDuration(ms) });
  };
  for (const { from, to, x, width: wide } of shown) {
    add(x, from - start);
    for (let ms = Math.ceil((from - start) / step) * step; ms <= to - start; ms += step)
      add(x + ((ms + start - from) / (to - from)) * wide, ms);
  }
  return ticks;
}
