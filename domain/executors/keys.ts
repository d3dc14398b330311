import { planLimits } from '../input/limits.ts';
import { duration } from '../input/values.ts';

/* Keys that several kinds of executors have. */

export const executorExpected = 'a map such as `{ kind: command, run: ["sh", "-c", "make"] }`';

export const timeoutKey = duration(planLimits.timeout).exactOptional();
