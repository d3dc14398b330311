import { HeddleError } from '../errors/heddle-error.ts';
import { planLimits } from '../input/limits.ts';
import { formatBytes } from '../text/bytes.ts';
import { utf8Length } from '../text/text.ts';

/** Refuses a plan that Temporal would not accept, before anything is started with it. `where` is the file of the plan. */
export function checkPlanSize(input: unknown, where = 'plan'): void {
  if (typeof input !== 'object' || input === null || !('reuse' in input))
    return check(measureJson(input), planLimits.sentPlanBytes, 'The plan', where);
  check(measureJson({ ...input, reuse: undefined }), planLimits.sentPlanBytes, 'The plan', where);
  check(measureJson(input), planLimits.sentInputBytes, 'The plan with the finished work that it reuses', where);
}

/** A task may be started without any input, which has no JSON. */
const measureJson = (value: unknown): number => (value === undefined ? 0 : utf8Length(JSON.stringify(value)));

function check(bytes: number, most: number, what: string, where: string): void {
  if (bytes <= most) return;
  throw new HeddleError({
    code: 'PLAN_TOO_LARGE',
    message: `${what} is ${formatBytes(bytes)} as JSON, with aliases expanded; at most ${formatBytes(most)} can be sent.`,
    where,
    hint: 'Put long texts into files in the workspace and name the files in the plan.',
  });
}
