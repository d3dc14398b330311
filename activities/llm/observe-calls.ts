import type { CallOutcome, ModelCall } from '../../domain/llm/model-call.ts';
import { costOfReply } from '../../domain/llm/price.ts';
import { ModelError, type ModelReply, type ModelRequest, type Models } from './ports/model.ts';

/** The same models; each call is told once it has ended, however it did. */
export function observeCalls(models: Models, onCall: (call: ModelCall) => void): Models {
  return {
    async call(request) {
      const started = performance.now();
      const ended = (outcome: CallOutcome, reply?: ModelReply): void =>
        onCall({
          asker: request.asker,
          model: request.model.name,
          outcome,
          ms: reply?.took ?? Math.round(performance.now() - started),
          ...(reply === undefined ? {} : { reply: buildReplyCost(request, reply) }),
        });
      try {
        const reply = await models.call(request);
        ended(reply.finish === 'refusal' ? 'refusal' : 'ok', reply);
        return reply;
      } catch (error) {
        ended(classifyOutcome(error, request.signal));
        throw error;
      }
    },
  };
}

const buildReplyCost = ({ model }: ModelRequest, reply: ModelReply): NonNullable<ModelCall['reply']> => ({
  usage: reply.usage,
  costUsd: costOfReply(reply, model.price),
});

/** An error that is neither a model's nor a stop is a bug of ours: it says nothing about the model. */
function classifyOutcome(error: unknown, signal: AbortSignal): CallOutcome {
  if (signal.aborted) return 'stopped';
  if (!(error instanceof ModelError)) return 'unknown';
  return error.mayCost ? 'cut' : error.failure.type;
}
