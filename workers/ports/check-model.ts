import { randomUUID } from 'node:crypto';
import { ModelError, type Models } from '../../activities/llm/ports/model.ts';
import type { Claim, Store } from '../../activities/store/store.ts';
import type { ModelCheck } from '../../client/ports/models.ts';
import type { Model } from '../../domain/types/llm.ts';
import { costOfReply } from '../../domain/llm/price.ts';
import { workerLimits } from '../limits/worker-limits.ts';

/** One word from a model by one request. Says in words why there is none; never throws. */
export async function checkModel(
  models: Models,
  model: Model,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ModelCheck> {
  const { keyEnv } = model.provider;
  const nothing = { ok: false, latencyMs: 0, tokens: 0, costUsd: 0 };
  if (keyEnv !== undefined && (env[keyEnv] ?? '') === '') return { ...nothing, error: `${keyEnv} is not set here` };
  const signal = AbortSignal.timeout(workerLimits.modelCheck);
  const begun = performance.now();
  try {
    const reply = await models.call({
      model,
      system: 'Answer with one word.',
      messages: [{ from: 'user', text: 'Are you there? Answer yes.' }],
      tools: [],
      thinking: false,
      maxOutput: Math.min(model.output, workerLimits.modelCheckOutput),
      // A task of its own each time: what a script has used up for one check is there for the next.
      asker: { task: `check-${randomUUID()}`, role: model.roles[0] ?? 'executor', turn: 1 },
      signal,
    });
    const { usage } = reply;
    const latencyMs = Math.round(performance.now() - begun);
    return { ok: true, latencyMs, tokens: usage.input + usage.output, costUsd: costOfReply(reply, model.price) };
  } catch (error) {
    const latencyMs = Math.round(performance.now() - begun);
    return { ...nothing, latencyMs, error: signal.aborted ? tooSlow : formatReason(error) };
  }
}

const tooSlow = `no answer within ${workerLimits.modelCheck / 1_000} s`;

/** Only what is made for people: other errors may carry the request. */
const formatReason = (error: unknown): string =>
  error instanceof ModelError ? error.failure.summary : 'the request could not be made';

/** Claims of a check, which nobody asks for later. */
export function passingClaims(): Pick<Store, 'claim' | 'peek'> {
  const claims = new Map<string, string>();
  const keyOf = ({ task, name }: { task: string; name: string }): string => JSON.stringify([task, name]);
  return {
    claim(key, value): Promise<Claim> {
      const first = claims.get(keyOf(key));
      if (first === undefined) claims.set(keyOf(key), value);
      return Promise.resolve({ mine: first === undefined, value: first ?? value });
    },
    peek: (key) => Promise.resolve(claims.get(keyOf(key))),
  };
}
