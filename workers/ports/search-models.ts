import { askOllama } from '../../activities/discovery/ask-ollama.ts';
import { findKeySettings, findModels } from '../../activities/discovery/find-models.ts';
import type { ModelSearch } from '../../domain/config/found-models.ts';
import {
  buildCliSettings,
  buildOllamaSettings,
  cliProvider,
  keyProviders,
  ollamaProvider,
  type ModelSettings,
} from '../../domain/llm/built-in-models.ts';
import { cliPrograms } from '../../domain/types/llm.ts';
import { loadSettings } from '../settings/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks for models in this environment; undefined where a given server's workers look in theirs. */
export async function searchHere(
  env: Environment,
  cwd: string,
  options?: { all?: boolean },
): Promise<ModelSearch | undefined> {
  if ((await loadSettings(env, cwd)).server !== undefined) return undefined;
  return findModels({ value: (name) => env[name] }, options);
}

/** The model that `heddle init` writes for an Ollama server that does not answer; any other can take its place. */
const exampleModel = 'qwen3:8b';

export async function buildSettings(env: Environment, name: string): Promise<ModelSettings | undefined> {
  const provider = keyProviders.find((each) => each.name === name);
  if (provider !== undefined) return findKeySettings(provider, { value: (variable) => env[variable] });
  const program = cliPrograms.find((each) => cliProvider(each) === name);
  if (program !== undefined) return buildCliSettings(program);
  if (name !== ollamaProvider) return undefined;
  const { address = 'http://127.0.0.1:11434', model = exampleModel } = (await askOllama(env['OLLAMA_HOST'])) ?? {};
  return buildOllamaSettings(address, model);
}
