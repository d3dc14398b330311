import { Artifacts, type ArtifactsParts } from '../../artifacts/artifacts.ts';
import type { ConversationLog } from '../../agent/conversation-log.ts';
import { readOriginal } from '../../agent/compaction/read-original.ts';
import { scratchFolder } from '../../attempt/attempt-scratch.ts';
import type { AgentAttempt } from '../../attempt/attempt.ts';
import { gateFacts } from '../../attempt/gate-facts.ts';
import type { RunningRecord } from '../../attempt/running-record.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { artifactsFile } from '../../home/home-layout.ts';
import { ownFolders } from '../../home/xdg.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { programFolders } from '../../programs/own-programs.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { watchCommands } from '../../repositories/watch-commands.ts';
import type { CommandPort } from '../../sandbox/command.ts';
import { openCommands } from '../../sandbox/open-commands.ts';
import type { ToolContext } from '../../tools/common/tool.ts';

interface ContextParts {
  attempt: AgentAttempt;
  record: Pick<RunningRecord, 'mark' | 'run'>;
  log: Pick<ConversationLog, 'entries'>;
  store: ArtifactsParts['store'];
  /** Heddle's home, which no tool reaches. */
  root: string;
  environment: PublicEnvironment;
  redactor: Redactor;
  redact: (text: string) => string;
  onChange: (change: RepositoryChange) => void;
}

/** The workspace of an attempt, opened, and the watch that a program of a server runs under as well. */
interface OpenedTools {
  context: Omit<ToolContext, 'signal'>;
  watch: (port: CommandPort) => Promise<CommandPort>;
}

/** Commands get the values of a process's inputs by their environment. */
const withVariables = (port: CommandPort, inputs: Readonly<Record<string, string>> | undefined): CommandPort =>
  inputs === undefined
    ? port
    : { ...port, run: (command) => port.run({ ...command, env: { ...inputs, ...command.env } }) };

/** Opens the workspace of an attempt to the tools of its agent. */
export async function openToolContext(parts: ContextParts): Promise<OpenedTools> {
  const { attempt, record, log, store, root, environment, redactor, redact, onChange } = parts;
  const { workspace, readRoots, subtask, input, sandbox, web, paths } = attempt;
  const own = ownFolders(root, environment);
  const port = await openCommands(sandbox, {
    ...{ workspace, readRoots, environment },
    hidden: own,
    // Processes that a crash leaves running are found by it, and ended before another execution begins.
    mark: `${record.mark}${record.run}`,
    redactor,
  });
  const watched = {
    ...{ root, workspace, hidden: own, path: environment.PATH ?? '', task: input.taskId, subtask: subtask.id },
    mostFolders: activityLimits.repositories.folders,
    onChange,
  };
  const watch = (of: CommandPort): Promise<CommandPort> => watchCommands(of, watched);
  const commands = await watch(withVariables(port, attempt.inputs));
  const context = {
    ...{ workspace, readRoots, commands },
    guarded: { own, programs: programFolders(environment.PATH, workspace) },
    fixedDeliverables: input.attempt > 1 ? subtask.deliverables : [],
    gates: gateFacts(attempt, { own, commands }),
    web: { ...web, folder: scratchFolder(paths, record.run), redact },
    artifacts: new Artifacts({
      ...{ manifest: artifactsFile(root, input.taskId), store, subtask: subtask.id, attempt: input.attempt },
    }),
    readOriginal: (reference: string) => readOriginal(reference, { entries: log.entries, store }),
  };
  return { context, watch };
}
