import type { Context } from '@temporalio/activity';

import type { HostExecutor, HostKind } from '../../domain/executors/kinds.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import type { AskTask } from '../temporal/ask-task.ts';
import type { LiveRun } from '../attempt/live-run.ts';
import type { OwnedAttempt } from '../attempt/owned-attempt.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import type { WriteWatch } from '../workspace/snapshots/write-watch.ts';
import { AgentRun, type AgentPorts } from './agent/agent-executor.ts';
import type { Assignment } from '../attempt/assignment.ts';
import type { AttemptStart } from '../attempt/attempt-executor.ts';
import { ProgramRun } from './program/program-executor.ts';

export interface AssignmentParts {
  store: Store;
  root: string;
  secrets: Secrets;
  logger: Pick<Context['log'], 'warn'>;
  paths: AttemptPaths;
  live: LiveRun<Outcome>;
  askTask: AskTask;
  agents?: AgentPorts;
}

type ExecutorOf<Kind extends HostKind> = {
  [Each in Kind]: Extract<HostExecutor, { kind: Each }> & { kind: Each };
}[Kind];

/** What is to be run, and whose attempt it is. */
interface ExecutorInput {
  parts: AssignmentParts;
  assignment: Assignment;
  owned: OwnedAttempt;
  /** Absent where its files are in no snapshot of the workspace. */
  watch?: WriteWatch;
}

interface Starting<Kind extends HostKind> {
  start(executor: ExecutorOf<Kind>, given: ExecutorInput): AttemptStart;
  /** Who takes over does not wait for another process of this host that has it, and may stand still for ever: it goes on anywhere. */
  goesOnAnywhere: boolean;
}

/** How this host runs each kind of executor: a kind that is missing here does not compile. */
const kinds: { [Kind in HostKind]: Starting<Kind> } = {
  command: {
    start: (executor, { parts, assignment, owned }) =>
      new ProgramRun({ ...parts, assignment: { ...assignment, executor }, owned }),
    goesOnAnywhere: false,
  },
  agent: {
    start(executor, { parts, assignment, owned, ...watch }) {
      const { agents } = parts;
      if (agents === undefined) throw new Error('this worker has no models: it runs programs only');
      return new AgentRun({ ...parts, agents, assignment: { ...assignment, executor }, owned, ...watch });
    },
    goesOnAnywhere: true,
  },
};

export function startByKind<Kind extends HostKind>(executor: ExecutorOf<Kind>, given: ExecutorInput): AttemptStart {
  return kinds[executor.kind].start(executor, given);
}

export const goesOnAnywhere = ({ executor }: Assignment): boolean => kinds[executor.kind].goesOnAnywhere;
