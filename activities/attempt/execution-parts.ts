import type { Context } from '@temporalio/activity';

import type { HostExecutor } from '../../domain/executors/kinds.ts';
import type { Outcome } from '../../domain/types/outcome.ts';
import type { Attempt } from './attempt.ts';
import type { LiveExecution } from './live-execution.ts';
import type { OwnedRecord } from './owned-record.ts';
import type { Models } from '../llm/ports/model.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import type { AskTask } from '../temporal/ask-task.ts';
import type { ToolRegistry } from '../tools/common/tool-registry.ts';
import type { WriteWatch } from '../workspace/snapshots/write-watch.ts';

/** The models and tools that a worker has for its agents. */
export interface AgentPorts {
  models: Models;
  registry: ToolRegistry;
}

/** The ports that every execution on a worker uses. */
export interface ExecutionPorts {
  store: Store;
  /** Heddle's home: an execution leaves its traces in `running/` below it, and no agent reaches it. */
  root: string;
  /** Programs see the base of the worker's environment, and the variables that a plan names. */
  secrets: Secrets;
  /** Tells a person who operates the worker of orphans and the like. */
  logger: Pick<Context['log'], 'warn'>;
  /** Without models and tools only programs run. */
  agents?: AgentPorts;
}

/** The ports of one execution: it lives in this process, and its task can be asked for news. */
export interface LivePorts extends ExecutionPorts {
  live: LiveExecution<Outcome>;
  askTask: AskTask;
}

/** One execution of an attempt, once the attempt's record names it as its owner. */
export interface ExecutionParts<Executor extends HostExecutor = HostExecutor> extends LivePorts {
  attempt: Attempt<Executor>;
  owned: OwnedRecord;
  /** Absent when the files of the attempt are in no snapshot of the workspace. */
  watch?: WriteWatch;
}
