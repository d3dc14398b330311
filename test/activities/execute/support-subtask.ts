import type { Subtask } from '../../../domain/model/subtask.ts';

/** A subtask that asks for nothing but its program. */
export const subtask = (id: string, given: Partial<Subtask> = {}): Subtask => ({
  id,
  description: 'Do it.',
  dependsOn: [],
  tier: 1,
  executor: { kind: 'command', run: ['true'], prompt: 'stdin', timeout: 30_000, env: [], onCrash: 'rerun' },
  deliverables: [],
  verify: [],
  criteria: [],
  requiredSections: [],
  rules: [],
  diff: false,
  contractCheck: 'off',
  allowPartial: false,
  maxAttempts: 8,
  critical: false,
  synthesis: false,
  recovery: {},
  ...given,
});
