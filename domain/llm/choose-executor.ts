import type { Model } from '../types/llm.ts';

interface Supply {
  models: readonly Pick<Model, 'roles' | 'provider'>[];
}

/** Decides if a model works as an agent with tools; an agent program answers as a model, but takes no tools. */
export const hasAgent = ({ models }: Supply): boolean => models.some(({ roles }) => roles.includes('executor'));

/** Work in prose is for an agent: ours, or the agent program that is the only model. */
export function chooseExecutor({ models }: Supply): string {
  const program = models.find(({ provider }) => provider.program !== undefined)?.provider.program;
  return hasAgent({ models }) || program === undefined ? 'agent' : program;
}
