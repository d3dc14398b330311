import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { createModels, type ModelsParts } from '../../../../activities/llm/create-models.ts';
import { ModelError, type ModelReply, type ModelRequest } from '../../../../activities/llm/ports/model.ts';
import type { ClaimKey, Store } from '../../../../activities/store/store.ts';
import type { Model, Provider, ProviderKind } from '../../../../domain/types/llm.ts';

export const secretKey = 'sk-test-0123456789abcdef';
export const secretPrompt = 'The launch code of the northern silo is four apples and a pear.';
export const secretSystem = 'You are the keeper of the northern silo and you never tell.';

/** Claims in memory: what a store promises, for one process. */
export function memoryClaims(): Pick<Store, 'claim' | 'peek'> & { size: () => number } {
  const claims = new Map<string, string>();
  const nameOf = ({ task, name }: ClaimKey): string => JSON.stringify([task, name]);
  return {
    claim: (key, value) => {
      const held = claims.get(nameOf(key));
      if (held === undefined) claims.set(nameOf(key), value);
      return Promise.resolve({ mine: held === undefined, value: held ?? value });
    },
    peek: (key) => Promise.resolve(claims.get(nameOf(key))),
    size: () => claims.size,
  };
}

export function modelAt(
  kind: ProviderKind,
  url: string,
  given: Partial<Model> = {},
  by: Partial<Provider> = {},
): Model {
  const version = kind === 'ollama' ? '' : '/v1';
  return {
    name: 'small',
    id: kind === 'anthropic' ? 'claude-haiku-4-5' : kind === 'openai' ? 'gpt-5' : 'llama',
    provider: { name: 'there', kind, baseUrl: `${url}${version}`, keyEnv: 'THE_KEY', ...by },
    tier: 1,
    roles: ['executor'],
    context: 200_000,
    output: 1_000,
    thinking: 'off',
    stream: true,
    ...given,
  };
}

export function requestTo(model: Model, given: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model,
    system: secretSystem,
    messages: [{ from: 'user', text: secretPrompt }],
    tools: [
      {
        name: 'read_file',
        description: 'Reads a file.',
        input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    thinking: false,
    maxOutput: 1_000,
    asker: { task: 't1', role: 'executor', subtask: 'draft', attempt: 1, turn: 1 },
    signal: new AbortController().signal,
    ...given,
  };
}

export const models = (parts: Partial<ModelsParts> = {}) =>
  createModels({ secrets: new EnvironmentSecrets({ THE_KEY: secretKey }), store: memoryClaims(), ...parts });

export const call = (model: Model, given: Partial<ModelRequest> = {}): Promise<ModelReply> =>
  models().call(requestTo(model, given));

/** The error that a call comes to; any other end is a failure of the test. */
export async function errorOf(calling: Promise<ModelReply>): Promise<ModelError> {
  const error = await calling.then(
    (reply) => new Error(`a reply: ${JSON.stringify(reply)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw error;
}

/** Every text that can be reached from a value, hidden properties and causes included. */
export function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const inside: unknown = Reflect.get(value, key);
    return [String(key), ...textsIn(inside, seen)];
  });
}
