import type { Model } from '../../domain/types/llm.ts';

/** What one small request to a model came to. */
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
  /** Asks for one word by one request, with the keys of this environment. */
  checkModel(model: Model): Promise<ModelCheck>;
}
