import { planLimits } from './limits.ts';

/** The longest name of a queue that the server accepts. */
const longestQueue = 1_000;

const isPrintable = (value: string): boolean => value !== '' && !/[\p{Cc}\p{Cs}]/u.test(value);

/** Names become parts of ids and of queues, so they are short and printable. */
export const isSourceName = (value: string): boolean => value.length <= planLimits.name && isPrintable(value);

/** Decides if the server accepts a name for a queue. */
export const isQueueName = (value: string): boolean => value.length <= longestQueue && isPrintable(value);
