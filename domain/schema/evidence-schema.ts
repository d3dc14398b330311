import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import {
  addRefusal,
  buildEnum,
  list,
  map,
  subtaskId,
  text,
  wholeNumber,
  workspacePath,
  yesNo,
} from '../input/values.ts';

/* The evidence that a task or a subtask owes. */

const target = text('the text of a target');

const keys = {
  /**
   * Records that each target needs, with a source that was read.
   *
   * @defaultValue 1
   */
  each: wholeNumber(1, planLimits.evidenceEach).exactOptional(),
  /**
   * `required`: a record counts only with a quote that is in its source.
   *
   * @defaultValue `optional`
   */
  quotes: buildEnum(['optional', 'required']).exactOptional(),
  /**
   * Questions or statements that need evidence.
   *
   * @defaultValue `[]`
   */
  targets: list(target, 'a list of texts')
    .max(planLimits.evidenceTargets, { error: `a list of at most ${planLimits.evidenceTargets} texts` })
    .exactOptional(),
  /**
   * File in the workspace with the targets as a JSON list of texts, in place of `targets`.
   *
   * @defaultValue none
   */
  targetsFrom: workspacePath.exactOptional(),
  /**
   * Each mark such as `[gather/E3]` in the result needs a record.
   *
   * @defaultValue `false`
   */
  citations: yesNo.exactOptional(),
  /**
   * File for the records at the end of the task; a JSON file of the same name is written beside it. `false`: none.
   *
   * @defaultValue `evidence-ledger.csv`
   */
  ledger: z
    .union([z.literal(false), workspacePath], { error: 'a path inside the workspace that ends in `.csv`, or `false`' })
    .refine((path) => path === false || /[^/]\.csv$/i.test(path), {
      error: 'a path inside the workspace that ends in `.csv`, or `false`',
    })
    .exactOptional(),
};

interface Given {
  targets?: string[] | undefined;
  targetsFrom?: string | undefined;
}

function oneOf(context: { value: Given; issues: z.core.$ZodRawIssue[] }): void {
  if (context.value.targets === undefined || context.value.targetsFrom === undefined) return;
  addRefusal(context, context.value, {
    code: 'PLAN_WRONG_TYPE',
    message: '`evidence` has both `targets` and `targetsFrom`.',
    hint: 'Keep one of the two.',
  });
}

export const subtaskEvidenceSchema = map(keys, 'a map such as `{ targets: ["the price"], each: 2 }`').check(oneOf);

export const planEvidenceSchema = map(
  {
    ...keys,
    /**
     * Subtasks that the targets and the other keys apply to.
     *
     * @defaultValue all
     */
    phases: list(subtaskId, 'a list of subtask ids').exactOptional(),
  },
  'a map such as `{ targetsFrom: questions.json, phases: [gather] }`',
).check(oneOf);

export type PlannedEvidence = z.output<typeof planEvidenceSchema>;
