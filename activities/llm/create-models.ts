import type { Model, Provider } from '../../domain/types/llm.ts';
import { getOwn } from '../../domain/util/own-property.ts';
import type { Secrets, WorkerSecrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { callLanguageModel } from './provider/call-language-model.ts';
import { callOwn } from './call-own.ts';
import { callCli } from './cli/call-cli.ts';
import { ScriptedProvider } from './scripted/scripted-provider.ts';
import { createModelFetch } from './provider/model-fetch.ts';
import type { ModelReply, ModelRequest, Models, ProviderCall } from './ports/model.ts';
import { callOllama } from './ollama-model.ts';
import { homes } from './provider/open-language-model.ts';
import { modelError, type KeyedRequest } from './provider/model-trouble.ts';

export interface ModelsParts {
  /** Holds the keys of providers, which may differ from task to task. */
  secrets: Pick<WorkerSecrets, 'ofTask'>;
  /** Keeps which entry of a script answered which request. */
  store: Pick<Store, 'claim' | 'peek'>;
  /** Providers of the user's own, by the name of the provider. */
  own?: Readonly<Record<string, ProviderCall>>;
}

/** All models that a worker can reach. */
export function createModels(parts: ModelsParts): Models {
  const scripted = new ScriptedProvider(parts.store);
  return {
    async call(request) {
      request.signal.throwIfAborted();
      const started = performance.now();
      const ending = new AbortController();
      const signal = AbortSignal.any([request.signal, ending.signal]);
      try {
        const reply = await dispatch(parts, scripted, { ...request, signal });
        return { ...reply, took: Math.round(performance.now() - started) };
      } catch (error) {
        // The caller gets the reason of an abort, however it looked from inside.
        request.signal.throwIfAborted();
        throw error;
      } finally {
        // A reply that was given up in the middle holds no connection.
        ending.abort();
      }
    },
  };
}

type UntimedReply = Omit<ModelReply, 'took'>;

async function dispatch(parts: ModelsParts, scripted: ScriptedProvider, request: ModelRequest): Promise<UntimedReply> {
  const { provider } = request.model;
  const own = getOwn(parts.own ?? {}, provider.name);
  const secrets = await parts.secrets.ofTask(request.asker.task);
  const subject: KeyedRequest = { request, key: readKey(provider, secrets) };
  if (own !== undefined) return callOwn(own, subject);
  if (provider.keyEnv !== undefined && subject.key === undefined) {
    const summary = `The variable ${provider.keyEnv} with the key of the provider ${provider.name} is not set: the command that started or last answered the task has no value, nor does the worker.`;
    throw modelError('auth', subject, { names: ['key-missing'], summary });
  }
  if (provider.kind === 'cli') return callCli(subject, secrets);
  return provider.kind === 'scripted' ? scripted.call(request.model, subject) : callDirectly(request.model, subject);
}

async function callDirectly(model: Model, subject: KeyedRequest): Promise<UntimedReply> {
  const { kind, baseUrl = homes[kind], name } = model.provider;
  if (baseUrl === undefined || kind === 'scripted' || kind === 'cli' || !URL.canParse(baseUrl)) {
    const summary = `The provider ${name} has ${baseUrl === undefined ? 'no `baseUrl`' : 'a `baseUrl` that is not a URL'}.`;
    throw modelError('context-missing', subject, { names: ['base-url'], summary });
  }
  const connection = { baseUrl, key: subject.key, fetch: createModelFetch(subject) };
  if (kind === 'ollama') return callOllama(connection, subject);
  return callLanguageModel({ ...connection, kind, model }, subject);
}

/** An empty variable is a key that was forgotten. */
function readKey({ keyEnv }: Provider, secrets: Pick<Secrets, 'value'>): string | undefined {
  const key = keyEnv === undefined ? undefined : secrets.value(keyEnv)?.trim();
  return key === '' ? undefined : key;
}
