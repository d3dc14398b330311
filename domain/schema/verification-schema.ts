import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { toolFailuresSchema } from './settings-schema.ts';
import { duration, list, map, name, buildEnum, text, tier, wholeNumber, yesNo } from '../input/values.ts';

/* Review of results that passed their checks. */

/** Settings of a plan or of one subtask for the vote of several judges. */
export const votingSchema = map(
  {
    /**
     * Judges that vote on one result.
     *
     * @defaultValue 3
     */
    voters: wholeNumber(1, planLimits.voters).exactOptional(),
    /**
     * `veto`: one confident vote against the result fails it; `majority`: more than half of the votes do.
     *
     * @defaultValue `veto`
     */
    rule: buildEnum(['veto', 'majority']).exactOptional(),
  },
  'a map such as `{ voters: 3, rule: veto }`',
);

const checkExpected = 'a shell command, or a map such as `{ name: "the tests pass", run: "npm test" }`';

/** A verify command with the name that failures and reports use. */
export const namedCheckSchema = map(
  {
    /** A few words about the purpose of the check: 1 to 200 printable characters. */
    name: name('the name of a check'),
    /** The shell command. */
    run: text('a shell command'),
  },
  checkExpected,
);

export const checkListSchema = list(
  z.union([text('a shell command'), namedCheckSchema], { error: checkExpected }),
  'a list of shell commands',
);

/** `[verification]` of the config. */
export const verificationSchema = map(
  {
    default: tier.exactOptional(),
    guard: yesNo.exactOptional(),
    toolFailures: toolFailuresSchema.exactOptional(),
    scanFiles: wholeNumber(1, planLimits.scanFiles).exactOptional(),
    scanBytes: wholeNumber(1, planLimits.scanBytes).exactOptional(),
    scanFileBytes: wholeNumber(1, planLimits.scanBytes).exactOptional(),
    scanTime: duration(planLimits.scanTime).exactOptional(),
  },
  'a table with `default`, `guard`, `toolFailures`, `scanFiles`, `scanBytes`, `scanFileBytes` or `scanTime`',
);
