import type { Executor } from './kinds.ts';
import { presetPrograms } from './presets.ts';

/** Whether a model does the work: an agent, or a program that is one, by its preset, by what it prints, or by its name. */
export function isAgentWork(executor: Executor): boolean {
  switch (executor.kind) {
    case 'agent':
      return true;
    case 'command': {
      const name = executor.run[0]?.split('/').at(-1) ?? '';
      return executor.output !== undefined || presetPrograms().includes(name);
    }
    default:
      return false;
  }
}
