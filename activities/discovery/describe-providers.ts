import { keyProviders } from '../../domain/llm/built-in-models.ts';
import { presetNames } from '../../domain/executors/presets.ts';
import { findOwnProgram } from '../programs/own-programs.ts';
import { askOllama, resolveLoopback } from './ask-ollama.ts';
import type { SearchLocation } from './find-models.ts';

/** A key, program or server that tasks can use, and if it is there. */
export interface DescribedProvider {
  name: string;
  detail: string;
}

/** Describes each key, agent program and local model server that Heddle looks for. No value of a key is in it. */
export async function describeProviders({ value }: SearchLocation): Promise<DescribedProvider[]> {
  const keys = keyProviders.map(({ keyEnv, title, baseUrlEnv }) => {
    const isSet = (value(keyEnv) ?? '') !== '';
    const elsewhere = baseUrlEnv !== undefined && (value(baseUrlEnv) ?? '') !== '' ? ` at ${baseUrlEnv}` : '';
    return { name: keyEnv, detail: isSet ? `set: models of ${title}${elsewhere} can serve goals` : 'not set' };
  });
  const programs = presetNames.map((name) => {
    const path = findOwnProgram(name, { path: value('PATH') });
    const use = `\`executor: ${name}\` in a plan file uses it; it plans no goal`;
    return { name: `program ${name}`, detail: path === undefined ? 'not installed' : `${path}: ${use}` };
  });
  return [...keys, ...programs, { name: 'ollama', detail: await describeOllama(value('OLLAMA_HOST')) }];
}

async function describeOllama(host: string | undefined): Promise<string> {
  if (resolveLoopback(host) === undefined) return 'not asked: OLLAMA_HOST is not on this machine';
  const server = await askOllama(host);
  if (server === undefined) return 'none runs here';
  const { address, model } = server;
  return model === undefined ? `${address} has no model` : `${address} serves goals with ${model} where no key is set`;
}
