import * as z from 'zod';
import { notSupported } from '../source/not-supported.ts';
import { map, name, oneOf, refuse, sayChoice, text } from '../source/values.ts';
import { programShape } from './command.ts';
import { argumentList, executorExpected, timeoutKey } from './keys.ts';
import { executorKinds, type ExecutorKindName } from './kinds.ts';
import { presetNames } from './presets.ts';

const choiceExpected = `the name of an executor, or ${executorExpected}`;

const kindNames = Object.keys(executorKinds);
const kindExpected = sayChoice(kindNames);

/** Known by name only, to be refused in words of its own. */
const agentSchema = map(
  {
    kind: z.literal('agent'),
    model: text('the name of a model').exactOptional(),
    tools: z.unknown().exactOptional(),
    iterations: z.unknown().exactOptional(),
    timeout: timeoutKey,
  },
  executorExpected,
);

const agentNotYet = agentSchema.transform((value, context) => {
  refuse(context, value, notSupported('agent'));
  return z.NEVER;
});

const schemas = Object.values(executorKinds).map(({ schema }) => schema);

export const executorSchema = z.discriminatedUnion('kind', [agentNotYet, ...schemas], {
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
    kind: z
      .enum([...kindNames, 'agent'], { error: kindExpected })
      .check((context) => {
        if (context.value === 'agent') refuse(context, context.value, notSupported('agent'));
      })
      .exactOptional(),
    args: argumentList.exactOptional(),
    ...programShape,
  },
  'a table such as `{ preset: claude }` or `{ kind: command, run: ["./agent.sh"] }`',
);

/** What people call an executor that a plan writes out, and the keys that it may have. */
export function executorMap(kind: unknown): { name: string; keys: string[] } {
  if (kind === 'agent') return { name: 'an `agent` executor', keys: Object.keys(agentSchema.shape) };
  const { about, schema } = executorKinds[isKind(kind) ? kind : 'command'];
  return { name: about, keys: Object.keys(schema.shape) };
}

export const isKind = (kind: unknown): kind is ExecutorKindName =>
  typeof kind === 'string' && Object.hasOwn(executorKinds, kind);

export type ExecutorChoice = z.output<typeof executorChoiceSchema>;
export type NamedExecutor = z.output<typeof namedExecutorSchema>;
