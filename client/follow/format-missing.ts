import { formatCount } from '../../domain/text/text.ts';
import type { Gap } from './read-pages.ts';

/** A sentence on entries that cannot be read: they are on another host, or in a damaged page of this one. */
export const formatMissing = (what: 'event' | 'attempt', { from, to }: Gap, host: string | null): string =>
  `${formatCount(to - from + 1, `older ${what}`)} (${from} to ${to}) ${from === to ? 'is' : 'are'} in the store of ${host === null ? 'another host' : `host ${host}`}, and cannot be read from here`;
