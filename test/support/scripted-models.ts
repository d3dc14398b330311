import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ScriptReply } from '../../activities/llm/scripted/script.ts';
import { startScriptedServer, type ScriptedRequest } from '../../activities/llm/scripted/scripted-server.ts';

/** A service of models on the loopback address, and what it was asked. */
export interface ScriptedModels {
  url: string;
  requests: ScriptedRequest[];
}

/** Answers by the number of the request, from 1, or as the function says; the last reply answers all that follow. */
export async function serveScript(
  replies: ScriptReply[] | ((request: ScriptedRequest, nth: number) => ScriptReply | Promise<ScriptReply>),
): Promise<ScriptedModels> {
  const requests: ScriptedRequest[] = [];
  const server = await startScriptedServer(async (request) => {
    requests.push(request);
    const nth = requests.length;
    if (typeof replies === 'function') return replies(request, nth);
    return replies[Math.min(nth, replies.length) - 1] ?? 'no reply';
  });
  onTestFinished(() => server.close());
  return { url: server.url, requests };
}

export type WireKind = 'anthropic' | 'openai' | 'openai-compatible' | 'ollama';

/**
 * One model at each tier unless said otherwise, in the config of a workspace. It learns no lessons unless `model` names its roles: a request
 * beside the work would take a reply that is for the work.
 */
export function writeModels(
  workspace: string,
  url: string,
  given: { kind?: WireKind; tiers?: readonly number[]; model?: string } = {},
): void {
  const { kind = 'openai-compatible', tiers = [1, 2, 3], model = '' } = given;
  const workRoles = model.includes('roles') ? '' : 'roles = ["planner", "executor", "verifier", "compactor"]\n';
  const base = kind === 'ollama' ? url : `${url}/v1`;
  const models = tiers.map(
    (tier) =>
      `[models.tier${tier}]\nprovider = "local"\nid = "model-${tier}"\ntier = ${tier}\nprice = { in = 1.0, out = 5.0 }\n${workRoles}${model}\n`,
  );
  const provider = `[providers.local]\nkind = "${kind}"\nbaseUrl = "${base}"\n`;
  writeFileSync(join(workspace, 'heddle.toml'), `${provider}${models.join('')}`);
}

export const calls = (...made: [tool: string, input: unknown][]): ScriptReply => ({
  calls: made.map(([tool, input]) => ({ tool, input })),
});

export const finishes = (notes = 'done', deliverablesTouched: string[] = []): ScriptReply =>
  calls(['finish', { status: 'success', notes, deliverablesTouched }]);
