import type { ConfigKey } from './config-key.ts';

const aboutProviders =
  'Services for models: anthropic, openai, openai-compatible, ollama, scripted or cli. `keyEnv` names the variable with the key; `baseUrl` is the address; `program` an agent CLI.';

const aboutModels =
  'Models for `executor: agent`. `tier` 1 to 3; `roles` all by default; `thinking` off, budget or effort; `images` if it reads images; `price` in USD per million tokens.';

/** `[providers]` names the services that models run at. */
export const providerKeys = [
  { key: 'providers.anthropic', about: aboutProviders, value: { kind: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY' } },
  { key: 'providers.openai', about: aboutProviders, value: { kind: 'openai', keyEnv: 'OPENAI_API_KEY' } },
  { key: 'providers.claude', about: aboutProviders, example: { kind: 'cli', program: 'claude' } },
  { key: 'providers.local', about: aboutProviders, example: { kind: 'ollama', baseUrl: 'http://127.0.0.1:11434' } },
] as const satisfies readonly ConfigKey[];

/** `[models]` sets the models that run agents. */
export const modelKeys = [
  {
    key: 'models.small',
    about: aboutModels,
    example: {
      provider: 'anthropic',
      id: 'claude-haiku-4-5',
      tier: 1,
      roles: ['planner', 'executor', 'verifier'],
      context: 200_000,
      output: 8_000,
      thinking: 'effort',
      stream: true,
      images: true,
      price: { in: 1, out: 5, cached: 0.1 },
    },
  },
] as const satisfies readonly ConfigKey[];
