import * as z from 'zod';
import { argumentList, map, name, buildEnum, formatChoice } from '../input/values.ts';
import { outputShape, programShape } from './command.ts';
import { executorExpected } from './keys.ts';
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

/** An executor in a plan: the name of one in the config, or one of its own. */
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
 * An executor of the config. All keys are optional, because a stronger file or a flag may change a single one. Completeness is checked when
 * all layers are merged.
 */
export const namedExecutorSchema = map(
  {
    ...kindKeys,
    preset: buildEnum(presetNames).exactOptional(),
    kind: z.enum(kindNames, { error: kindExpected }).exactOptional(),
    args: argumentList.exactOptional(),
    ...programShape,
    ...outputShape,
  },
  'a table such as `{ preset: claude }` or `{ kind: command, run: ["./agent.sh"] }`',
);

/** The name and the keys of an executor map, for errors. */
export function executorMap(kind: unknown): { name: string; keys: string[] } {
  const { about, schema } = executorKinds[isKind(kind) ? kind : 'command'];
  return { name: about, keys: Object.keys(schema.shape) };
}

export const isKind = (kind: unknown): kind is ExecutorKindName =>
  typeof kind === 'string' && Object.hasOwn(executorKinds, kind);

export type ExecutorChoice = z.output<typeof executorChoiceSchema>;
export type NamedExecutor = z.output<typeof namedExecutorSchema>;
