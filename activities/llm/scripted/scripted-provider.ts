import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';

import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { Model } from '../../../domain/types/llm.ts';
import type { Store } from '../../store/store.ts';
import { callLanguageModel } from '../provider/call-language-model.ts';
import { chooseEntry, countTries, noteFailed, type ScriptAsker } from './choose-entry.ts';
import { createModelFetch } from '../provider/model-fetch.ts';
import { ModelError, type Asker, type ModelReply } from '../ports/model.ts';
import { loadScript, type Script } from './script.ts';
import { startScriptedServer, type ScriptedAnswer, type ScriptedServer } from './scripted-server.ts';
import { modelError, type KeyedRequest } from '../provider/model-trouble.ts';

type Claims = Pick<Store, 'claim' | 'peek'>;

/** A call that the server waits for, by the secret part of its address. */
interface Expected {
  path: string;
  entries: Script;
  asker: ScriptAsker;
}

/** The scripts of one worker, behind one server that starts with the first call. */
export class ScriptedProvider {
  readonly #claims: Claims;
  readonly #expected = new Map<string, Expected>();
  #server: Promise<ScriptedServer> | undefined;

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  async call(model: Model, subject: KeyedRequest): Promise<Omit<ModelReply, 'took'>> {
    const { asker: given, signal } = subject.request;
    const { path, entries } = await openScript(model, subject);
    const asker = { ...given, tries: await countTries(given, path, this.#claims) };
    const { url } = await (this.#server ??= startScriptedServer(({ prefix, text }) => this.#answer(prefix, text)));
    const token = randomUUID();
    this.#expected.set(token, { path, entries, asker });
    const connection = { baseUrl: `${url}/${token}/v1`, key: undefined, fetch: createModelFetch(subject) };
    try {
      return await callLanguageModel({ ...connection, kind: 'openai-compatible', model }, subject);
    } catch (error) {
      // A caller that got an error asks again for something else; a caller that got nothing asks for the same.
      if (error instanceof ModelError && error.failure.code === undefined && !signal.aborted) {
        await noteFailed(asker, path, this.#claims);
      }
      throw error;
    } finally {
      this.#expected.delete(token);
    }
  }

  async #answer(prefix: string, text: string): Promise<ScriptedAnswer> {
    const expected = this.#expected.get(prefix.split('/')[1] ?? '');
    if (expected === undefined) return 'Nobody of this worker asks.';
    const { path, entries, asker } = expected;
    const entry = await chooseEntry({ script: path, entries, asker, text }, this.#claims);
    if (entry !== undefined) return entry.reply;
    return `The script ${basename(path)} has no entry left for ${formatAsker(asker)}.`;
  }
}

function formatAsker({ role, subtask, attempt, turn }: Asker): string {
  const named = [
    role,
    ...(subtask === undefined ? [] : [`subtask ${subtask}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    `turn ${turn}`,
  ];
  return named.join(', ');
}

/** Read at each call: people correct a script while its worker runs. */
async function openScript(model: Model, subject: KeyedRequest): Promise<{ path: string; entries: Script }> {
  const { script: path, name } = model.provider;
  if (path === undefined) {
    const summary = `The scripted provider ${name} has no \`script\`.`;
    throw modelError('context-missing', subject, {
      names: ['script-missing'],
      summary,
      cause: summary,
      code: 'SCRIPT_INVALID',
    });
  }
  try {
    return { path, entries: await loadScript(path) };
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    throw modelError('context-missing', subject, {
      summary: error.message,
      cause: `The script has to be corrected at ${error.where ?? path}.`,
      providerText: error.where ?? '',
      fix: error.hint ?? '',
      code: error.code,
    });
  }
}
