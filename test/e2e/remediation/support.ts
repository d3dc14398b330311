import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanInput } from '../../../domain/schema/plan-schema.ts';
import { shellPlan } from '../../support/rig.ts';

/** The evidence that a judge misses in each attempt of a subtask, in their order; once the list is at its end, it passes. */
export type Missing = readonly (readonly string[])[];

interface Owing extends Partial<Omit<Parameters<typeof shellPlan>[0][string], 'sh'>> {
  missing?: Missing;
  sh?: string;
}

const passes = { passed: true, confidence: 0.9, issues: [], feedback: '', missingEvidence: [] };

/** Writes the judge's script and short limits into a workspace. */
export function playJudges(
  workspace: string,
  subtasks: Record<string, Owing>,
  limits: Record<string, string | number> = {},
): void {
  mkdirSync(workspace, { recursive: true });
  const script = Object.entries(subtasks).flatMap(([subtask, { missing = [] }]) => [
    ...missing.map((missingEvidence, index) => ({
      when: { role: 'verifier', subtask, attempt: index + 1 },
      reply: { text: JSON.stringify({ ...passes, passed: false, reasonCode: 'evidence-gap', missingEvidence }) },
    })),
    { when: { role: 'verifier', subtask }, times: 20, reply: { text: JSON.stringify(passes) } },
  ]);
  writeFileSync(join(workspace, 'script.yaml'), JSON.stringify(script));
  const given = Object.entries({ remediationWait: '100ms', ...limits }).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  );
  const models =
    '[providers.script]\nkind = "scripted"\nscript = "script.yaml"\n[models.judge]\nprovider = "script"\nroles = ["verifier"]\nprice = { in = 1.0, out = 5.0 }\n';
  writeFileSync(join(workspace, 'heddle.toml'), `${models}[limits]\n${given.join('\n')}\n`);
}

/** A plan whose subtasks write a line of each attempt into their own file, and are judged once by attempt. */
export function owingPlan(subtasks: Record<string, Owing>, rest: Partial<PlanInput> = {}): PlanInput {
  const given = Object.entries(subtasks).map(([id, { missing, sh, ...subtask }]) => [
    id,
    {
      sh: sh ?? `echo "attempt $HEDDLE_ATTEMPT" >> ${id}.md`,
      deliverables: [`${id}.md`],
      ...(missing === undefined ? {} : { verification: 2 as const, maxAttempts: 1 }),
      ...subtask,
    },
  ]);
  return shellPlan(Object.fromEntries(given) as Parameters<typeof shellPlan>[0], {
    ladder: [{ tier: 'assigned' }],
    remediation: { policy: 'queue-follow-up' },
    maxParallelSubtasks: 8,
    ...rest,
  });
}

export const linesIn = (workspace: string, name: string): string[] =>
  readFileSync(join(workspace, name), 'utf8').trimEnd().split('\n');
