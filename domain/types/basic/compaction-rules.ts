import { limits } from '../../limits/domain-limits.ts';

/**
 * How a conversation is kept inside its model's window. Shares are of the tokens that a request may have: the model's context without the
 * place for its reply.
 */
export interface ContextRules {
  /** `tiered`: what is old is folded, step by step, when it gets tight; `off`: nothing is, and at the end of the window the attempt fails. */
  mode: 'tiered' | 'off';
  /** From this share on, old parts are shortened. */
  soft: number;
  /** From this share on, old parts are merged into a summary too, however short ago the last time was. */
  hard: number;
  /** Folding stops as soon as the share is below this. */
  target: number;
  /** No step goes below this share where it would do without. */
  floor: number;
  /** A stage that would save a smaller share than this is not worth a changed beginning, which no provider's cache knows. */
  gain: number;
  /** Turns after a fold without another one, unless it is `hard`. */
  pause: number;
  /** Summaries that a model is asked for in one attempt; those above are made without one. */
  summaries: number;
}

const { soft, hard, target, floor, gain, pause, summaries } = limits.context;

export const defaultContext: ContextRules = { mode: 'tiered', soft, hard, target, floor, gain, pause, summaries };
