import { presets, type Preset } from '../executors/presets.ts';
import type { ModelInput, ProviderInput } from './model-schema.ts';
import { cliPrograms, type CliProgram } from '../types/llm.ts';
import type { Tier } from '../types/subtask.ts';

/** A service whose key alone is enough: its address, and its model of each tier, the weakest first. */
export interface KeyProvider {
  name: string;
  /** Its name for people. */
  title: string;
  kind: 'anthropic' | 'openai' | 'openai-compatible';
  keyEnv: string;
  /** The variable with another address, as the service's own tools read it. */
  baseUrlEnv?: string;
  /** The address of a service that a kind does not imply. */
  baseUrl?: string;
  /** Its name in the list of prices. */
  prices: string;
  ids: readonly [tier1: string, tier2: string, tier3: string];
}

/** The services in the order in which their keys are looked for. The ids of their current models are here and nowhere else. */
export const keyProviders: readonly KeyProvider[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    kind: 'anthropic',
    keyEnv: 'ANTHROPIC_API_KEY',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    prices: 'anthropic',
    ids: ['claude-haiku-4-5', 'claude-sonnet-5', 'claude-opus-5-5'],
  },
  {
    name: 'openai',
    title: 'OpenAI',
    kind: 'openai',
    keyEnv: 'OPENAI_API_KEY',
    baseUrlEnv: 'OPENAI_BASE_URL',
    prices: 'openai',
    ids: ['gpt-5.6-luna', 'gpt-5.6-terra', 'gpt-5.6-sol'],
  },
  {
    name: 'gemini',
    title: 'Gemini',
    kind: 'openai-compatible',
    keyEnv: 'GEMINI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    prices: 'google',
    ids: ['gemini-3.5-flash-lite', 'gemini-3.8-flash', 'gemini-3.1-pro-preview'],
  },
  {
    name: 'openrouter',
    title: 'OpenRouter',
    kind: 'openai-compatible',
    keyEnv: 'OPENROUTER_API_KEY',
    baseUrl: 'https://openrouter.ai/api/v1',
    prices: 'openrouter',
    ids: ['anthropic/claude-haiku-4.5', 'anthropic/claude-sonnet-5', 'anthropic/claude-opus-5.5'],
  },
];

/** The name of a local model server as a provider. */
export const ollamaProvider = 'ollama';

/** The name of an agent program as a provider: no service with a key has it too. */
export const cliProvider = (program: CliProgram): string =>
  keyProviders.some(({ name }) => name === program) ? `${program}-cli` : program;

/** The names of providers whose models need no config, in the order in which they are looked for. */
export const providerNames: readonly string[] = [
  ...keyProviders.map(({ name }) => name),
  ...cliPrograms.map(cliProvider),
  ollamaProvider,
];

/** Providers and models as a config holds them: the settings of a layer. */
export interface ModelSettings {
  providers: Record<string, ProviderInput>;
  models: Record<string, ModelInput>;
}

/** Facts about a model that a list of prices has. */
export interface ModelFacts {
  context?: number;
  price?: { in: number; out: number; cached?: number };
}

/** Largest reply of a built-in model, in tokens; all of them can write more. */
const builtInOutput = 16_000;

/** Builds the settings of a service with a key: its three models serve all roles. */
export function buildKeySettings(
  { name, kind, keyEnv, baseUrl: ownAddress, ids }: KeyProvider,
  { baseUrl = ownAddress, factsOf }: { baseUrl?: string | undefined; factsOf: (id: string) => ModelFacts },
): ModelSettings {
  return {
    providers: { [name]: { kind, keyEnv, ...(baseUrl === undefined ? {} : { baseUrl }) } },
    models: Object.fromEntries(
      ids.map((id, index) => [
        buildModelName(id),
        {
          provider: name,
          id,
          tier: tierAt(index),
          ...factsOf(id),
          output: builtInOutput,
          thinking: 'effort',
          images: true,
        },
      ]),
    ),
  };
}

/** Builds the settings of an agent program: the models that its preset names, else its own choice for all tiers. */
export function buildCliSettings(program: CliProgram): ModelSettings {
  const provider = cliProvider(program);
  const { models }: Preset = presets[program];
  const named = (models ?? []).map((id, index): [string, ModelInput] => [
    buildModelName(`${program}-${id}`),
    { provider, id, tier: tierAt(index) },
  ]);
  return {
    providers: { [provider]: { kind: 'cli', program } },
    models: models === undefined ? { [program]: { provider, tier: 3 } } : Object.fromEntries(named),
  };
}

/** Builds the settings of a local server. One model serves all tiers, because a machine seldom holds two large ones at once. */
export const buildOllamaSettings = (baseUrl: string, id: string): ModelSettings => ({
  providers: { [ollamaProvider]: { kind: 'ollama', baseUrl } },
  // The tokens of a model on one's own machine cost nothing.
  models: { [buildModelName(id)]: { provider: ollamaProvider, id, tier: 3, price: { in: 0, out: 0 } } },
});

const tierAt = (index: number): Tier => (index === 0 ? 1 : index === 1 ? 2 : 3);

/** Names of models are keys of tables and have no dots or slashes; a name of digits alone has no order. */
const buildModelName = (id: string): string => {
  const name = id.replace(/[^\p{L}\p{Nd}_-]+/gu, '-');
  return /\D/.test(name) ? name : `model-${name}`;
};
