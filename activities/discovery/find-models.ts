import type { ModelSearch } from '../../domain/config/found-models.ts';
import { presetNames } from '../../domain/executors/presets.ts';
import {
  buildKeySettings,
  buildOllamaSettings,
  keyProviders,
  type KeyProvider,
  type ModelSettings,
} from '../../domain/llm/built-in-models.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import { askOllama } from './ask-ollama.ts';
import { completeAddress } from './complete-address.ts';
import { loadModelFacts } from './load-model-facts.ts';

/** The place where models are looked for: the variables of one environment. */
export interface SearchLocation {
  value: (name: string) => string | undefined;
}

/** Looks for models: a key of a service, then a model server on this machine. The first serves all roles; `all` looks for the others too. */
export async function findModels(location: SearchLocation, { all = false } = {}): Promise<ModelSearch> {
  const keys = keyProviders.filter(({ keyEnv }) => isSet(location, keyEnv));
  const [first] = keys;
  const seen = keys.map(({ keyEnv }) => keyEnv);
  if (first !== undefined && !all) return { seen, settings: await findKeySettings(first, location) };
  seen.push(...findAgentPrograms(location));
  const server = await askOllama(location.value('OLLAMA_HOST'));
  if (server !== undefined) seen.push(`Ollama at ${server.address}${server.model === undefined ? ' (no model)' : ''}`);
  if (first !== undefined) return { seen, settings: await findKeySettings(first, location) };
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

/** Agent programs of this machine. They do the work of subtasks; none of them plans a goal. */
export const findAgentPrograms = ({ value }: SearchLocation): string[] =>
  presetNames.filter((name) => findOwnProgram(name, { path: value('PATH') }) !== undefined);

const isSet = ({ value }: SearchLocation, name: string): boolean => (value(name) ?? '') !== '';
