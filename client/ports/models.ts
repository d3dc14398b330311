import type { Model } from '../../domain/types/llm.ts';

/** The result of one small request to a model. */
export interface ModelCheck {
  ok: boolean;
  latencyMs: number;
  tokens: number;
  costUsd: number;
  /** Why there is no answer, in words. */
  error?: string;
}

/** The models that this machine can reach. */
export interface ModelsPort {
  /** Sends a one-word request, with the keys of this environment. */
  checkModel(model: Model): Promise<ModelCheck>;
}
