import type { ProcessTools } from '../types/process.ts';
import type { Subtask } from '../types/subtask.ts';

/** Takes the tools from agents that their process does not give them. Programs have tools of their own, and an agent can always finish. */
export function limitTools(subtasks: readonly Subtask[], { allowed, excluded }: ProcessTools): Subtask[] {
  const has = (tool: string): boolean =>
    tool === 'finish' || (!excluded.includes(tool) && (allowed === undefined || allowed.includes(tool)));
  return subtasks.map((subtask) => {
    const { executor } = subtask;
    return executor.kind === 'agent'
      ? { ...subtask, executor: { ...executor, tools: executor.tools.filter(has) } }
      : subtask;
  });
}
