import { planLimits } from './limits.ts';

/** The longest name of a queue that the server takes. */
const longestQueue = 1_000;

const isPrintable = (value: string): boolean => value !== '' && !/[\p{Cc}\p{Cs}]/u.test(value);

/** Names become parts of ids and of queues, so they are short and printable. */
export const isName = (value: string): boolean => value.length <= planLimits.name && isPrintable(value);

/** What the server takes as the name of a queue. */
export const isQueueName = (value: string): boolean => value.length <= longestQueue && isPrintable(value);
