import { fileLayer } from '../../../domain/config/layer.ts';
import { resolveConfig } from '../../../domain/config/layers.ts';
import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import type { Model } from '../../../domain/types/llm.ts';

/** A model with only the keys that a test needs. */
export const model = (name: string, given: Partial<Model> = {}): Model => ({
  name,
  id: name,
  provider: { name: 'scripted', kind: 'scripted', script: '/script.yaml' },
  tier: 1,
  roles: ['planner', 'executor', 'verifier', 'extractor', 'compactor'],
  context: 200_000,
  output: 8_000,
  thinking: 'off',
  stream: true,
  ...given,
});

/** Models in the files of a config, the weakest first. */
export const modelsOf = (...files: string[]): Model[] =>
  resolveConfig({ below: files.map((text, index) => fileLayer({ name: `file-${index}.toml`, text })), above: [] })
    .models;

/** The problems of the layers. */
export function problemsOf(...files: string[]): Problem[] {
  try {
    modelsOf(...files);
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    return error.problems.length > 0 ? [...error.problems] : [error.toJSON()];
  }
  return [];
}
