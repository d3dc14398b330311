import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { duration, list } from '../input/values.ts';

/* Keys that several kinds of executors have. */

export const executorExpected = 'a map such as `{ kind: command, run: ["sh", "-c", "make"] }`';

export const timeoutKey = duration(planLimits.timeout).exactOptional();

/** An argument may be empty. */
export const argument = z.string({ error: 'a string' }).refine((value) => !value.includes('\0'), {
  error: 'a string without the character U+0000',
});

export const argumentList = list(argument, 'a list of arguments');
