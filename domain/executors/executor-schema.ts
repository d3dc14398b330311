import * as z from 'zod';
import { map, name, oneOf, formatChoice } from '../input/values.ts';
import { outputShape, programShape } from './command.ts';
import { argumentList, executorExpected } from './keys.ts';
import { executorKinds, type ExecutorKindName } from './kinds.ts';
import { presetNames } from './presets.ts';

const choiceExpected = `the name of an executor, or ${executorExpected}`;

const kindNames = Object.keys(executorKinds);
const kindExpected = formatChoice(kindNames);

const { command, ...others } = executorKinds;
const schemas = [command.schema, ...Object.values(others).map(({ schema }) => schema)] as const;

export const executorSchema = z.discriminatedUnion('kind', schemas, {
  error: ({ discriminator }) => (discriminator === undefined ? executorExpected : kindExpected),
});

/** In a plan: an executor of the config by its name, or one of its own. */
export const executorChoiceSchema = z.union([name('the name of an executor'), executorSchema], {
  error: choiceExpected,
});

/** The keys of all kinds, each optional. */
const kindKeys: Record<string, z.ZodType> = Object.fromEntries(
  schemas.flatMap(({ shape }) =>
    Object.entries<z.ZodType>(shape).map(([key, value]) => [key, value.exactOptional()] as const),
  ),
);

/**
 * An executor of the config. All keys are optional: a stronger file or a flag may change a single one. Whether what
 * comes out is whole is checked when all layers are there.
 */
export const namedExecutorSchema = map(
  {
    ...kindKeys,
    preset: oneOf(presetNames).exactOptional(),
    kind: z.enum(kindNames, { error: kindExpected }).exactOptional(),
    args: argumentList.exactOptional(),
    ...programShape,
    ...outputShape,
  },
  'a table such as `{ preset: claude }` or `{ kind: command, run: ["./agent.sh"] }`',
);

/** What people call an executor that a plan writes out, and the keys that it may have. */
export function executorMap(kind: unknown): { name: string; keys: string[] } {
  const { about, schema } = executorKinds[isKind(kind) ? kind : 'command'];
  return { name: about, keys: Object.keys(schema.shape) };
}

export const isKind = (kind: unknown): kind is ExecutorKindName =>
  typeof kind === 'string' && Object.hasOwn(executorKinds, kind);

export type ExecutorChoice = z.output<typeof executorChoiceSchema>;
export type NamedExecutor = z.output<typeof namedExecutorSchema>;
