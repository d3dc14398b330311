import { HeddleError } from '../domain/heddle-error.ts';
import type { PlanInput } from '../domain/schema/plan-schema.ts';
import { planLimits } from '../domain/source/limits.ts';
import { sayBytes } from '../domain/text/bytes.ts';

/** Refuses a plan that Temporal would not take, before anything is started. `where` is the file it came from. */
export function checkPlanSize(input: Record<string, unknown> | PlanInput, where = 'plan'): void {
  const { reuse, ...plan } = input;
  check(sizeOf(plan), planLimits.sentPlanBytes, 'The plan', where);
  if (reuse !== undefined) {
    check(sizeOf(input), planLimits.sentInputBytes, 'The plan with the finished work that it takes over', where);
  }
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function check(bytes: number, most: number, what: string, where: string): void {
  if (bytes <= most) return;
  throw new HeddleError({
    code: 'PLAN_TOO_LARGE',
    message: `${what} is ${sayBytes(bytes)} as JSON, aliases written out; at most ${sayBytes(most)} can be sent.`,
    where,
    hint: 'Put long texts into files of the workspace and name the files in the plan.',
  });
}
