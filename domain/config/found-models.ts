import { keyProviders, type ModelSettings } from '../llm/built-in-models.ts';
import { isTable } from '../input/is-table.ts';
import { valueAt, type PlanPath } from '../input/problem.ts';
import { formatList } from '../text/text.ts';
import { checkLayer, type ConfigLayer } from './layer.ts';

/** The result of a search for models on a machine. */
export interface ModelSearch {
  /** The names of keys, programs and servers that are there, usable or not. */
  seen: string[];
  /** Providers and models of the first that can be used; undefined where there is none. */
  settings?: ModelSettings;
}

/** Builds the layer just above the defaults from models that were found. Origins name the variable or the address. */
export function foundLayer(raw: object): ConfigLayer {
  return checkLayer({ ...raw }, { originOf: (path) => ({ from: 'found', place: formatPlace(raw, path) }) });
}

function formatPlace(settings: object, path: PlanPath): string {
  const providers = valueAt(settings, ['providers']);
  const [provider] = isTable(providers) ? Object.values(providers) : [];
  const [variable, address, program] = ['keyEnv', 'baseUrl', 'program'].map((key) => valueAt(provider, [key]));
  if (typeof program === 'string') return `program ${program}`;
  if (typeof variable !== 'string') return typeof address === 'string' ? address : 'this machine';
  const isAddress = path.at(-1) === 'baseUrl';
  const { baseUrlEnv = variable } = keyProviders.find(({ keyEnv }) => keyEnv === variable) ?? {};
  return `variable ${isAddress ? baseUrlEnv : variable}`;
}

/** Explains which models were chosen, and how to change that. */
export function formatChoice({ providers, models }: ModelSettings): string {
  const [name = '', provider = {}] = Object.entries(providers)[0] ?? [];
  const { keyEnv, baseUrl = '', program } = provider;
  const change = '`heddle init` writes a config to change that.';
  const title = keyProviders.find((each) => each.name === name)?.title ?? 'Ollama';
  const ids = Object.values(models)
    .flatMap(({ id }) => id ?? [])
    .reverse();
  if (program !== undefined) {
    const chosen = ids.length === 0 ? '' : ` with ${formatList(ids)}`;
    return `Using the agent CLI ${program}${chosen}, as it is logged in here, to plan, work and judge; ${change}`;
  }
  return `Using ${formatList(ids)} of ${title} (${keyEnv ?? baseUrl}); ${change}`;
}
