import type { Problem } from '../errors/heddle-error.ts';
import { cliPrograms, type Model, type Price, type Provider, type ProviderKind } from '../types/llm.ts';
import { unknownName, type PlanPath } from '../input/problem.ts';
import { formatChoice } from '../input/values.ts';
import { modelRoles, providerKinds, type ModelInput, type ProviderInput } from './model-schema.ts';

/** A problem of a merged provider or model, and the key that causes it. */
export type ModelProblem = Required<Pick<Problem, 'code' | 'message' | 'hint'>> & { path: PlanPath };

/** Defaults and needs of the providers of one kind. */
interface KindFacts {
  /** The variable that usually holds the key; only for the service's own servers, since another address may need no key. */
  keyEnv?: string;
  needs?: 'baseUrl' | 'script' | 'program';
  /** Keys that providers of other kinds have. */
  without?: readonly ('keyEnv' | 'baseUrl')[];
  /** The default window. Models on the user's own machine have a small one, because it costs memory. */
  context: number;
  /** The default for images: all models of some services see, models on the user's own machine may not. */
  images: boolean;
}

const kindFacts: Readonly<Record<ProviderKind, KindFacts>> = {
  anthropic: { keyEnv: 'ANTHROPIC_API_KEY', context: 200_000, images: true },
  openai: { keyEnv: 'OPENAI_API_KEY', context: 200_000, images: true },
  'openai-compatible': { needs: 'baseUrl', context: 32_768, images: false },
  ollama: { needs: 'baseUrl', context: 32_768, images: false },
  scripted: { needs: 'script', context: 200_000, images: false },
  // The program itself knows its key and its address.
  cli: { needs: 'program', without: ['keyEnv', 'baseUrl'], context: 200_000, images: false },
};

const examples = {
  baseUrl: 'baseUrl = "http://127.0.0.1:11434"',
  script: 'script = "script.yaml"',
  program: 'program = "claude"',
} as const;

/** The id of a model that leaves the choice to its agent program. */
export const ownChoice = 'default';

/** Output tokens of a model by default. */
const defaultOutput = 8_000;

const buildModelProblem = (message: string, hint: string, ...path: string[]): ModelProblem => ({
  code: 'CONFIG_MODEL_UNFINISHED',
  message,
  hint,
  path,
});

export const isModelProblem = (result: object): result is ModelProblem => 'message' in result;

/** Completes a provider with the defaults of its kind. */
export function completeProvider(name: string, given: ProviderInput): Provider | ModelProblem {
  const { kind, baseUrl, script, program, args } = given;
  if (kind === undefined)
    return buildModelProblem(
      `\`kind\` of the provider \`${name}\` is missing.`,
      `Add \`kind\`: ${formatChoice(providerKinds)}.`,
    );
  const { needs, keyEnv: usual, without = [] } = kindFacts[kind];
  if (needs !== undefined && given[needs] === undefined) {
    return buildModelProblem(
      `\`${needs}\` of the provider \`${name}\` is missing; \`${kind}\` needs it.`,
      `Add it, such as \`${examples[needs]}\`.`,
    );
  }
  for (const key of without)
    if (given[key] !== undefined)
      return buildModelProblem(
        `\`${key}\` of the provider \`${name}\` is not for the kind \`${kind}\`: the program reads its own settings.`,
        'Remove it; docs/agent-clis.md names the variables of each program.',
        key,
      );
  for (const key of ['script', 'program', 'args'] as const) {
    if (given[key] === undefined || ownerOf[key] === kind) continue;
    const message = `\`${key}\` of the provider \`${name}\` is only for the kind \`${ownerOf[key]}\`.`;
    return buildModelProblem(message, `Remove it, or use \`kind = "${ownerOf[key]}"\`.`, key);
  }
  const keyEnv = given.keyEnv ?? (baseUrl === undefined ? usual : undefined);
  return {
    name,
    kind,
    ...(keyEnv === undefined ? {} : { keyEnv }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(script === undefined ? {} : { script }),
    ...(program === undefined ? {} : { program }),
    ...(args === undefined ? {} : { args }),
  };
}

/** The kind of provider that a key is for. */
const ownerOf = { script: 'scripted', program: 'cli', args: 'cli' } as const;

/** Completes a model. Undefined where its provider is incomplete, because that problem is reported already. */
export function completeModel(
  name: string,
  given: ModelInput,
  providers: ReadonlyMap<string, Provider | undefined>,
): Model | ModelProblem | undefined {
  const missing = (key: string, hint: string): ModelProblem =>
    buildModelProblem(`\`${key}\` of the model \`${name}\` is missing.`, hint);
  if (given.provider === undefined) return missing('provider', 'Add `provider`, the name of a `[providers.NAME]`.');
  if (!providers.has(given.provider)) {
    const problem = unknownName('provider', given.provider, [...providers.keys()]);
    return { code: 'CONFIG_UNKNOWN_PROVIDER', ...problem, path: ['provider'] };
  }
  const provider = providers.get(given.provider);
  if (provider === undefined) return undefined;
  const isCli = provider.kind === 'cli';
  // No server reads the id of a script.
  const id = given.id ?? (provider.kind === 'scripted' ? name : isCli ? ownChoice : undefined);
  if (id === undefined) return missing('id', "Add `id`, the provider's own name of the model.");
  const price = completePrice(given.price);
  if (typeof price === 'string')
    return missing(`price.${price}`, `Add it (USD per million tokens), or remove \`price\`.`);
  const { context = kindFacts[provider.kind].context } = given;
  const output = given.output ?? Math.min(defaultOutput, Math.floor(context / 4));
  if (output >= context) return tooMuchOutput(name, output, context);
  if (isCli && given.roles?.includes('executor') === true) return noExecutor(name, provider);
  return {
    name,
    id,
    provider,
    tier: given.tier ?? 1,
    roles: modelRoles.filter((role) => given.roles?.includes(role) ?? !(isCli && role === 'executor')),
    context,
    output,
    thinking: given.thinking ?? 'off',
    stream: given.stream ?? true,
    ...((given.images ?? kindFacts[provider.kind].images) ? { images: true } : {}),
    ...(price === undefined ? {} : { price }),
  };
}

/** Returns the price, or the key that is missing. */
function completePrice(given: ModelInput['price']): Price | 'in' | 'out' | undefined {
  if (given === undefined) return undefined;
  const { in: input, out, cached } = given;
  if (input === undefined) return 'in';
  if (out === undefined) return 'out';
  return { in: input, out, ...(cached === undefined ? {} : { cached }) };
}

/** An agent program has tools of its own and takes none of ours, so it works as an executor and answers as a model. */
const noExecutor = (name: string, { program = cliPrograms[0] }: Provider): ModelProblem => ({
  code: 'CONFIG_WRONG_TYPE',
  message: `The model \`${name}\` is an agent program, which cannot serve \`executor\`: it takes no tools of an agent.`,
  hint: `Remove \`executor\` from \`roles\`; \`executor = "${program}"\` lets the program itself do the work.`,
  path: ['roles'],
});

const tooMuchOutput = (name: string, output: number, context: number): ModelProblem => ({
  code: 'CONFIG_WRONG_TYPE',
  message: `\`output\` of the model \`${name}\` is ${output}, which does not fit into its \`context\` of ${context}.`,
  hint: 'Lower `output`, or set `context` to the size of the window that the model has.',
  path: ['output'],
});
