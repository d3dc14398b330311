import type { Usage } from '../../domain/model/agent.ts';

/** As numbers that can be added up, whatever a provider of one's own says. */
export const soundUsage = ({ input, output, cached, reasoning }: Usage): Usage => ({
  input: amount(input),
  output: amount(output),
  cached: amount(cached),
  reasoning: amount(reasoning),
});

export const amount = (value: number): number => (Number.isFinite(value) && value > 0 ? Math.round(value) : 0);
