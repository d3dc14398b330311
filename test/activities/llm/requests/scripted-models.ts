import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { EnvironmentSecrets } from '../../../../activities/redact/secrets.ts';
import { createModels } from '../../../../activities/llm/create-models.ts';
import type { ModelRequest, Models } from '../../../../activities/llm/ports/model.ts';
import { FileStore } from '../../../../activities/store/file-store.ts';

/** A text, an error, or a text that its limit cut off. */
export type ScriptedReply = string | { status: number } | { cut: string };

/** A provider `mine` that answers by the number of the request; the last answer stays. */
export function createScriptedModels(replies: readonly ScriptedReply[]): {
  store: FileStore;
  requests: ModelRequest[];
  calls: Models;
} {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-said-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = new FileStore(folder);
  const requests: ModelRequest[] = [];
  const calls = createModels({
    secrets: new EnvironmentSecrets({}),
    store,
    own: {
      mine: (request) => {
        requests.push(request);
        const reply = replies[Math.min(requests.length, replies.length) - 1] ?? '';
        if (typeof reply !== 'string' && 'status' in reply)
          return Promise.reject(Object.assign(new Error('no'), reply));
        const usage = { input: 10, output: 5, cached: 0, reasoning: 0 };
        const isCut = typeof reply !== 'string';
        const text = isCut ? reply.cut : reply;
        return Promise.resolve({ parts: [{ type: 'text', text }], finish: isCut ? 'length' : 'stop', usage });
      },
    },
  });
  return { store, requests, calls };
}
