import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import {
  addRefusal,
  buildEnum,
  list,
  map,
  name,
  numberBetween,
  regularExpression,
  subtaskId,
  text,
  workspaceGlob,
  yesNo,
} from '../input/values.ts';
import { promptForms, promptNames } from '../types/basic/prompt-sections.ts';
import { roleSchema } from './config-schema.ts';
import { planSchema, subtaskSchema } from './plan-schema.ts';
import { processTestSchema } from './process-test-schema.ts';
import { toolListSchema } from './tool-schema.ts';

/* A process file, format 1: a plan file with inputs, phases with a mode, rules that hold across phases, and tests. */

const { process: most } = planLimits;

const oneLine = (expected: string) =>
  text(expected).refine((value) => value.length <= most.description && !/[\r\n]/.test(value), { error: expected });

const nameExpected = `a name: a lower-case letter, then lower-case letters, digits or \`-\`, at most ${most.name}`;

export const processName = z
  .string({ error: nameExpected })
  .refine((value) => new RegExp(`^[a-z][a-z0-9-]{0,${most.name - 1}}$`).test(value), { error: nameExpected });

export const inputTypes = ['string', 'integer', 'number', 'boolean', 'choice', 'path'] as const;

export const inputSchema = map(
  {
    type: buildEnum(inputTypes).exactOptional(),
    description: oneLine(`one line of at most ${most.description} characters`),
    default: z
      .union([z.string(), z.number(), z.boolean()], { error: 'a string, a number, `true` or `false`' })
      .exactOptional(),
    pattern: regularExpression.exactOptional(),
    options: list(text(), 'a list of strings').min(1, { error: 'a list with at least one entry' }).exactOptional(),
    min: numberBetween(-Number.MAX_VALUE, Infinity).exactOptional(),
    max: numberBetween(-Number.MAX_VALUE, Infinity).exactOptional(),
  },
  'a map such as `{ type: string, description: "..." }`',
);

const inputNameExpected = `a map of inputs; a name is a lower-case letter, then lower-case letters, digits or \`_\`, at most ${most.inputName}`;

const inputsSchema = z
  .record(z.string().regex(new RegExp(`^[a-z][a-z0-9_]{0,${most.inputName - 1}}$`)), inputSchema, {
    error: inputNameExpected,
  })
  .refine((inputs) => Object.keys(inputs).length <= most.inputs, { error: `a map of at most ${most.inputs} inputs` });

const { phase: _phase, advice: _advice, ...subtaskKeys } = subtaskSchema.shape;

export const phaseSchema = map(
  {
    ...subtaskKeys,
    tools: toolListSchema.exactOptional(),
    optional: yesNo.exactOptional(),
  },
  'a map with `id` and what the phase does',
);

export const toolsSchema = map(
  {
    required: toolListSchema.exactOptional(),
    allowed: toolListSchema.exactOptional(),
    excluded: toolListSchema.exactOptional(),
  },
  'a map with `required`, `allowed` or `excluded`',
);

export const processRuleSchema = map(
  {
    name: name('the name of the rule'),
    pattern: regularExpression.exactOptional(),
    in: list(workspaceGlob, 'a list of file patterns').exactOptional(),
    must: buildEnum(['absent', 'present']).exactOptional(),
    check: text('a sentence that a judge checks').exactOptional(),
    severity: buildEnum(['hard', 'advisory']).exactOptional(),
    phases: list(subtaskId, 'a list of ids of phases').exactOptional(),
  },
  'a map such as `{ name: no-todo, pattern: "TODO" }`',
);

const modelName = name('the name of a model').exactOptional();

export const processModelsSchema = map(
  { planner: modelName, verifier: modelName, extractor: modelName, compactor: modelName },
  'a map with `planner`, `verifier`, `extractor` or `compactor`',
);

const sectionText = z
  .custom<string>()
  .check((context) => {
    const { value } = context as { value: unknown };
    if (typeof value !== 'object' || value === null || !('replace' in value)) return;
    addRefusal(context, value, {
      code: 'PLAN_WRONG_TYPE',
      message: 'A process adds to a prompt; it cannot replace a section.',
      hint: 'Write the text that is added.',
    });
  })
  .pipe(text().max(planLimits.promptSection, { error: `a string of at most ${planLimits.promptSection} characters` }));

const promptKeys = promptNames.flatMap((prompt) =>
  promptForms[prompt].sections.map((section) => `${prompt}.${section}`),
);

export const processPromptsSchema = map(
  Object.fromEntries(promptKeys.map((key) => [key, sectionText.exactOptional()])),
  'a map such as `{ executor.constraints: "..." }`',
);

const { shape } = planSchema;

/** Keys of a plan that a process sets for its tasks. */
const planKeys = {
  approval: shape.approval,
  planApproval: shape.planApproval,
  planning: shape.planning,
  verification: shape.verification,
  voting: shape.voting,
  allowUnchecked: shape.allowUnchecked,
  verifyOutside: shape.verifyOutside,
  maxParallelSubtasks: shape.maxParallelSubtasks,
  escalationPause: shape.escalationPause,
  budget: shape.budget,
  ladder: shape.ladder,
  recovery: shape.recovery,
  executor: shape.executor,
  evidence: shape.evidence,
  remediation: shape.remediation,
};

export type ProcessPlanKey = keyof typeof planKeys;

/** The same keys by their names. */
export const processPlanKeys = Object.keys(planKeys) as ProcessPlanKey[];

const formatExpected = '1: this Heddle reads format 1';

const phasesExpected = `a list of 1 to ${most.phases} phases`;

export const processSchema = map(
  {
    format: z.literal(1, { error: formatExpected }).exactOptional(),
    name: processName,
    description: oneLine(`one line of at most ${most.description} characters`),
    goal: shape.goal,
    mode: buildEnum(['strict', 'guided', 'suggestive']).exactOptional(),
    inputs: inputsSchema.exactOptional(),
    phases: list(phaseSchema, phasesExpected)
      .min(1, { error: phasesExpected })
      .max(most.phases, { error: phasesExpected }),
    tools: toolsSchema.exactOptional(),
    rules: list(processRuleSchema, 'a list of rules').exactOptional(),
    ...planKeys,
    roles: z.record(name('the name of a role'), roleSchema, { error: 'a map of roles' }).exactOptional(),
    models: processModelsSchema.exactOptional(),
    prompts: processPromptsSchema.exactOptional(),
    tests: list(processTestSchema, 'a list of tests').exactOptional(),
  },
  'a map with `name`, `description` and `phases`',
);

/** A process as its file has it: JSON. */
export type ProcessDefinition = z.input<typeof processSchema>;
export type CheckedProcess = z.output<typeof processSchema>;
export type InputDeclaration = z.output<typeof inputSchema>;
