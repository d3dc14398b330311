import type { Problem } from '../errors/heddle-error.ts';
import type { Model, Price, Provider, ProviderKind } from '../types/llm.ts';
import { unknownName, type PlanPath } from '../input/problem.ts';
import { formatChoice } from '../input/values.ts';
import { modelRoles, providerKinds, type ModelInput, type ProviderInput } from './model-schema.ts';

/** A problem of a merged provider or model, and the key that causes it. */
export type ModelProblem = Required<Pick<Problem, 'code' | 'message' | 'hint'>> & { path: PlanPath };

/** Defaults and needs of the providers of one kind. */
interface KindFacts {
  /** The variable that usually holds the key; only for the service's own servers, since another address may need no key. */
  keyEnv?: string;
  needs?: 'baseUrl' | 'script';
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
};

const examples = { baseUrl: 'baseUrl = "http://127.0.0.1:11434"', script: 'script = "script.yaml"' } as const;

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
  const { kind, baseUrl, script } = given;
  if (kind === undefined)
    return buildModelProblem(
      `\`kind\` of the provider \`${name}\` is missing.`,
      `Add \`kind\`: ${formatChoice(providerKinds)}.`,
    );
  const { needs, keyEnv: usual } = kindFacts[kind];
  if (needs !== undefined && given[needs] === undefined) {
    return buildModelProblem(
      `\`${needs}\` of the provider \`${name}\` is missing; \`${kind}\` needs it.`,
      `Add it, such as \`${examples[needs]}\`.`,
    );
  }
  if (script !== undefined && kind !== 'scripted') {
    const message = `\`script\` of the provider \`${name}\` is only for the kind \`scripted\`.`;
    return buildModelProblem(message, 'Remove it, or use `kind = "scripted"`.', 'script');
  }
  const keyEnv = given.keyEnv ?? (baseUrl === undefined ? usual : undefined);
  return {
    name,
    kind,
    ...(keyEnv === undefined ? {} : { keyEnv }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(script === undefined ? {} : { script }),
  };
}

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
  // No server reads the id of a script.
  const id = given.id ?? (provider.kind === 'scripted' ? name : undefined);
  if (id === undefined) return missing('id', "Add `id`, the provider's own name of the model.");
  const price = completePrice(given.price);
  if (typeof price === 'string')
    return missing(`price.${price}`, `Add it (USD per million tokens), or remove \`price\`.`);
  const { context = kindFacts[provider.kind].context } = given;
  const output = given.output ?? Math.min(defaultOutput, Math.floor(context / 4));
  if (output >= context) return tooMuchOutput(name, output, context);
  return {
    name,
    id,
    provider,
    tier: given.tier ?? 1,
    roles: modelRoles.filter((role) => given.roles?.includes(role) ?? true),
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

const tooMuchOutput = (name: string, output: number, context: number): ModelProblem => ({
  code: 'CONFIG_WRONG_TYPE',
  message: `\`output\` of the model \`${name}\` is ${output}, which does not fit into its \`context\` of ${context}.`,
  hint: 'Lower `output`, or set `context` to the size of the window that the model has.',
  path: ['output'],
});
