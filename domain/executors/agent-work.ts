import type { Executor } from './kinds.ts';
import { presetPrograms } from './presets.ts';

/** Recognises work of a model: an agent, or an agent program by its preset, its output or its name. */
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
