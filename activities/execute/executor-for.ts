import type { HostExecutor, HostKind } from '../../domain/executors/kinds.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { AttemptExecution } from '../attempt/attempt-execution.ts';
import { AgentExecution } from './agent/agent-execution.ts';
import type { ExecutionParts } from '../attempt/execution-parts.ts';
import { ProgramExecution } from './program/program-execution.ts';

type ExecutorOf<Kind extends HostKind> = {
  [Each in Kind]: Extract<HostExecutor, { kind: Each }> & { kind: Each };
}[Kind];

interface ExecutorSupport<Kind extends HostKind> {
  create(executor: ExecutorOf<Kind>, parts: ExecutionParts): AttemptExecution;
  /** The execution can continue in any process, so another one of this host, which may hang for ever, is not waited for. */
  canMoveProcess: boolean;
}

/** The way in which this host runs each kind of executor: a kind that is missing here does not compile. */
const kinds: { [Kind in HostKind]: ExecutorSupport<Kind> } = {
  command: {
    create: (executor, parts) => new ProgramExecution({ ...parts, attempt: { ...parts.attempt, executor } }),
    canMoveProcess: false,
  },
  agent: {
    create(executor, { agents, ...parts }) {
      if (agents === undefined) throw new Error('this worker has no models: it runs programs only');
      return new AgentExecution({ ...parts, agents, attempt: { ...parts.attempt, executor } });
    },
    canMoveProcess: true,
  },
};

export function createExecution<Kind extends HostKind>(
  executor: ExecutorOf<Kind>,
  parts: ExecutionParts,
): AttemptExecution {
  return kinds[executor.kind].create(executor, parts);
}

export const canMoveProcess = ({ executor }: Attempt): boolean => kinds[executor.kind].canMoveProcess;
