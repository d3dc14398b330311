import { formatCount } from '../../../domain/text/text.ts';
import type { Gap } from '../../follow/read-pages.ts';

/** Where what is not here can be found: on another host, or in a page of this one that is damaged. */
export const formatMissing = (what: 'event' | 'attempt', { from, to }: Gap, host: string | null): string =>
  `${formatCount(to - from + 1, `older ${what}`)} (${from} to ${to}) ${from === to ? 'is' : 'are'} in the store of ${host === null ? 'another host' : `host ${host}`}, and cannot be read from here`;
