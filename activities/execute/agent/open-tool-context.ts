import type { ConversationLog } from '../../agent/conversation-log.ts';
import { readOriginal } from '../../agent/compaction/read-original.ts';
import type { AgentAttempt } from '../../attempt/attempt.ts';
import { gateFacts } from '../../attempt/gate-facts.ts';
import type { RunningRecord } from '../../attempt/running-record.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { ownFolders } from '../../home/xdg.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { programFolders } from '../../programs/own-programs.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { watchCommands } from '../../repositories/watch-commands.ts';
import { openCommands } from '../../sandbox/open-commands.ts';
import type { Store } from '../../store/store.ts';
import type { ToolContext } from '../../tools/common/tool.ts';

interface ContextParts {
  attempt: AgentAttempt;
  record: Pick<RunningRecord, 'mark' | 'run'>;
  log: Pick<ConversationLog, 'entries'>;
  store: Pick<Store, 'get'>;
  /** Heddle's home, which no tool reaches. */
  root: string;
  environment: PublicEnvironment;
  redactor: Redactor;
  onChange: (change: RepositoryChange) => void;
}

/** Opens the workspace of an attempt to the tools of its agent. */
export async function openToolContext(parts: ContextParts): Promise<Omit<ToolContext, 'signal'>> {
  const { attempt, record, log, store, root, environment, redactor, onChange } = parts;
  const { workspace, readRoots, subtask, input, sandbox } = attempt;
  const own = ownFolders(root, environment);
  const port = await openCommands(sandbox, {
    ...{ workspace, readRoots, environment },
    hidden: own,
    // Processes that a crash leaves running are found by it, and ended before another execution begins.
    mark: `${record.mark}${record.run}`,
    redactor,
  });
  const commands = await watchCommands(port, {
    ...{ root, workspace, hidden: own, path: environment.PATH ?? '', task: input.taskId, subtask: subtask.id },
    mostFolders: activityLimits.repositories.folders,
    onChange,
  });
  return {
    ...{ workspace, readRoots, commands },
    guarded: { own, programs: programFolders(environment.PATH, workspace) },
    fixedDeliverables: input.attempt > 1 ? subtask.deliverables : [],
    gates: gateFacts(attempt, { own, commands }),
    readOriginal: (reference) => readOriginal(reference, { entries: log.entries, store }),
  };
}
