import type { ModelSearch } from '../../domain/config/found-models.ts';
import type { ModelSettings } from '../../domain/llm/built-in-models.ts';
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
  /**
   * Looks for models that need no config, up to the first that can be used; `all` looks for everything that is there. Undefined where a
   * server is given: its workers look in their own environment.
   */
  findModels(options?: { all?: boolean }): Promise<ModelSearch | undefined>;
  /** The settings of a provider by its name, such as `anthropic` or `ollama`; undefined for an unknown name. */
  buildSettings(provider: string): Promise<ModelSettings | undefined>;
}
