import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

import type { Model, ProviderKind } from '../../../domain/types/llm.ts';
import type { ModelFetch } from './model-fetch.ts';
import { chooseThinkingTokens } from './thinking.ts';

/** Kinds that are spoken to by the providers' own code. */
export type SpokenKind = Exclude<ProviderKind, 'ollama' | 'scripted' | 'cli'>;

export interface Connection {
  model: Model;
  kind: SpokenKind;
  baseUrl: string;
  key: string | undefined;
  fetch: ModelFetch;
}

/** How a model is asked: what differs between kinds. */
export type ModelCallOptions = Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'reasoning' | 'providerOptions'>;

/** The name under which a compatible server's notes and options are kept. */
const compatible = 'compatible';

/** Addresses of the services, so that no variable of the worker's environment leads a call elsewhere. */
export const homes: Partial<Record<ProviderKind, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
};

/** Stands in where there is no key, so that none is looked for in the environment; `createModelFetch` takes the header away. */
const noKey = 'none';

/** The provider's code, loaded when the first call needs it: a quarter of a second that other workers do not pay. */
export async function openLanguageModel({ model, kind, baseUrl, key, fetch }: Connection): Promise<LanguageModelV4> {
  const settings = { baseURL: baseUrl, apiKey: key ?? noKey, fetch };
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(settings)(model.id);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI(settings).responses(model.id);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ ...settings, name: compatible, includeUsage: true }).chatModel(model.id);
    }
  }
}

/** The limit of the reply and how thinking is asked for, in the words of the kind. */
export async function askFor(
  kind: SpokenKind,
  model: Model,
  settings: { thinking: boolean; maxOutput: number },
): Promise<ModelCallOptions> {
  const tokens = chooseThinkingTokens(model, settings.thinking);
  const limit = { maxOutputTokens: settings.maxOutput + tokens };
  const effort = tokens > 0 ? ({ reasoning: 'high' } as const) : {};
  switch (kind) {
    case 'anthropic':
      return tokens === 0 ? limit : askAnthropic(model, settings.maxOutput, tokens);
    case 'openai':
      // It knows no number of tokens: a budget is an effort too.
      return {
        ...limit,
        ...effort,
        // Nothing stays at the service: what it must know of earlier thinking travels with the conversation, encrypted.
        providerOptions: { openai: { store: false, ...(model.thinking === 'off' ? {} : { forceReasoning: true }) } },
      };
    case 'openai-compatible': {
      if (tokens === 0 || model.thinking !== 'budget') return { ...limit, ...effort };
      const thinking = { type: 'enabled', budget_tokens: tokens };
      return { ...limit, providerOptions: { [compatible]: { thinking } } };
    }
  }
}

/** The form that a model takes differs by its generation; other forms are refused. A budget is added to the limit by the provider's code. */
async function askAnthropic(model: Model, maxOutput: number, tokens: number): Promise<ModelCallOptions> {
  const { getModelCapabilities } = await import('@ai-sdk/anthropic/internal');
  const { supportsAdaptiveThinking, rejectsBudgetThinking } = getModelCapabilities(model.id);
  if (rejectsBudgetThinking || (model.thinking === 'effort' && supportsAdaptiveThinking)) {
    const thinking = { type: 'adaptive', display: 'summarized' };
    return { maxOutputTokens: maxOutput + tokens, providerOptions: { anthropic: { thinking, effort: 'high' } } };
  }
  const thinking = { type: 'enabled', budgetTokens: tokens };
  return { maxOutputTokens: maxOutput, providerOptions: { anthropic: { thinking } } };
}
