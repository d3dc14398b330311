import type { ModelSearch } from '../../domain/config/found-models.ts';
import {
  buildCliSettings,
  buildKeySettings,
  buildOllamaSettings,
  keyProviders,
  type KeyProvider,
  type ModelSettings,
} from '../../domain/llm/built-in-models.ts';
import { askOllama } from './ask-ollama.ts';
import { completeAddress } from './complete-address.ts';
import { findAgentPrograms, type AgentProgram } from './find-agent-programs.ts';
import { loadModelFacts } from './load-model-facts.ts';
import type { SearchLocation } from './search-location.ts';

/**
 * Looks for models: a key of a service, then an agent program that is logged in, then a model server on this machine. The first serves all
 * roles; `all` looks for the others too.
 */
export async function findModels(location: SearchLocation, { all = false } = {}): Promise<ModelSearch> {
  const keys = keyProviders.filter(({ keyEnv }) => isSet(location, keyEnv));
  const [first] = keys;
  const seen = keys.map(({ keyEnv }) => keyEnv);
  if (first !== undefined && !all) return { seen, settings: await findKeySettings(first, location) };
  const programs = await findAgentPrograms(location);
  seen.push(...programs.map(describeProgram));
  const program = programs.find(({ model }) => model?.isLoggedIn === true)?.model?.program;
  if (first === undefined && program !== undefined && !all) return { seen, settings: buildCliSettings(program) };
  const server = await askOllama(location.value('OLLAMA_HOST'));
  if (server !== undefined) seen.push(`Ollama at ${server.address}${server.model === undefined ? ' (no model)' : ''}`);
  if (first !== undefined) return { seen, settings: await findKeySettings(first, location) };
  if (program !== undefined) return { seen, settings: buildCliSettings(program) };
  if (server?.model === undefined) return { seen };
  return { seen, settings: buildOllamaSettings(server.address, server.model) };
}

/** Builds the settings of a service, at the address that its variable names. */
export async function findKeySettings(provider: KeyProvider, { value }: SearchLocation): Promise<ModelSettings> {
  const { baseUrlEnv, kind, prices } = provider;
  const given = baseUrlEnv === undefined ? '' : (value(baseUrlEnv) ?? '').trim();
  const baseUrl = given === '' ? {} : { baseUrl: completeAddress(given, kind) };
  return buildKeySettings(provider, { ...baseUrl, factsOf: await loadModelFacts(prices) });
}

const describeProgram = ({ name, model }: AgentProgram): string =>
  model === undefined || model.isLoggedIn ? name : `${name} (not logged in: \`${model.command}\`)`;

const isSet = ({ value }: SearchLocation, name: string): boolean => (value(name) ?? '') !== '';
