import { keyProviders } from '../../domain/llm/built-in-models.ts';
import { presetNames } from '../../domain/executors/presets.ts';
import { askOllama, resolveLoopback } from './ask-ollama.ts';
import { findAgentPrograms, type AgentProgram } from './find-agent-programs.ts';
import type { SearchLocation } from './search-location.ts';

/** A key, program or server that tasks can use, and if it is there. */
export interface DescribedProvider {
  name: string;
  detail: string;
}

/** Describes each key, agent program and local model server that Heddle looks for. No value of a key is in it. */
export async function describeProviders(location: SearchLocation): Promise<DescribedProvider[]> {
  const { value } = location;
  const keys = keyProviders.map(({ keyEnv, title, baseUrlEnv }) => {
    const isSet = (value(keyEnv) ?? '') !== '';
    const elsewhere = baseUrlEnv !== undefined && (value(baseUrlEnv) ?? '') !== '' ? ` at ${baseUrlEnv}` : '';
    return { name: keyEnv, detail: isSet ? `set: models of ${title}${elsewhere} can serve goals` : 'not set' };
  });
  const installed = await findAgentPrograms(location);
  const programs = presetNames.map((name) => ({
    name: `program ${name}`,
    detail: describeProgram(installed.find((program) => program.name === name)),
  }));
  return [...keys, ...programs, { name: 'ollama', detail: await describeOllama(value('OLLAMA_HOST')) }];
}

function describeProgram(program: AgentProgram | undefined): string {
  if (program === undefined) return 'not installed';
  const { name, path, model } = program;
  const use = `\`executor: ${name}\` in a plan file uses it`;
  if (model === undefined) return `${path}: ${use}; it plans no goal`;
  if (model.isLoggedIn) return `${path}: logged in; it serves goals where no key is set, and ${use}`;
  return `${path}: not logged in; log in with \`${model.command}\`, then it serves goals, and ${use}`;
}

async function describeOllama(host: string | undefined): Promise<string> {
  if (resolveLoopback(host) === undefined) return 'not asked: OLLAMA_HOST is not on this machine';
  const server = await askOllama(host);
  if (server === undefined) return 'none runs here';
  const { address, model } = server;
  return model === undefined ? `${address} has no model` : `${address} serves goals with ${model} where no key is set`;
}
