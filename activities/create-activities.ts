import type { HostActivities, SharedActivities } from '../domain/types/activities.ts';
import type { ComposeActivities } from '../domain/types/compose-call.ts';
import { presetPrograms } from '../domain/executors/presets.ts';
import type { ModelCall } from '../domain/llm/model-call.ts';
import { cancelTask } from './execute/cancel-task.ts';
import { withHeartbeat } from './temporal/with-heartbeat.ts';
import { createKeepEvidence } from './execute/keep-evidence.ts';
import { createComposeCall } from './execute/compose-call.ts';
import { createFinishTask } from './evidence/finish-task.ts';
import { createPages } from './pages/pages.ts';
import { createRevertAttempt } from './execute/revert-attempt.ts';
import { createExecuteSubtask } from './execute/execute-subtask.ts';
import { createModels } from './llm/create-models.ts';
import type { ProviderCall } from './llm/ports/model.ts';
import { observeCalls } from './llm/observe-calls.ts';
import { createToolRegistry } from './tools/built-in-tools.ts';
import type { Secrets, WorkerSecrets } from './redact/secrets.ts';
import { rootOfStore } from './home/home-layout.ts';
import { noteServer } from './sandbox/network/find-way-out.ts';
import { resolveOwnPrograms } from './programs/own-programs.ts';
import { rememberTask } from './memory/project-memory.ts';
import { createExtractLessons } from './planner/extract-lessons.ts';
import { createDiagnoseFailure } from './planner/diagnose-failure.ts';
import { createRewordEscalation } from './planner/reword-escalation.ts';
import { createPlanTask } from './planner/plan-task.ts';
import { createPrepareTask, type PrepareParts } from './prepare/prepare-task.ts';
import { FileStore } from './store/file-store.ts';
import { createJudgeSubtask } from './judges/judge-subtask.ts';
import { createRecheckSubtask } from './verify/recheck-subtask.ts';
import { createMergeSubtask } from './verify/merge-subtask.ts';
import { createVerifySubtask } from './verify/verify-subtask.ts';

export interface SharedParts extends Omit<PrepareParts, 'secrets'> {
  secrets: WorkerSecrets;
}

/** Activities that need no files, for the common queue. */
export function createSharedActivities(parts: SharedParts): SharedActivities {
  const store = new FileStore(parts.storeFolder);
  const withSecrets = secretsOfTask(parts.secrets);
  return {
    prepareTask: withHeartbeat(withSecrets((secrets) => createPrepareTask({ ...parts, secrets }, store))),
    cancelTask,
    rememberTask,
  };
}

/** An activity that is given the secrets of the task that it works for, as they are when it begins. */
const secretsOfTask =
  (secrets: WorkerSecrets) =>
  <Input extends { taskId: string }, Result>(
    create: (secrets: Secrets) => (input: Input) => Promise<Result>,
  ): ((input: Input) => Promise<Result>) =>
  async (input) =>
    create(await secrets.ofTask(input.taskId))(input);

export interface HostParts extends SharedParts {
  /** Providers of models of the user's own, by their name in the config. */
  providers?: Readonly<Record<string, ProviderCall>>;
  /** Hears of every call of a model when it has ended: for metrics and the log. */
  onModelCall?: (call: ModelCall) => void;
  /** The address of this worker's Temporal server. Every command that has a network can reach a server on another machine. */
  serverAddress?: string | undefined;
}

/** Activities that need the workspace or the store, for the queue of this host. A plan that names its host is prepared here too. */
export function createHostActivities(parts: HostParts): HostActivities & ComposeActivities {
  const { secrets: workerSecrets, providers: own = {}, onModelCall = () => undefined } = parts;
  // Before any agent has run: what comes up on the PATH later is not taken for one of these.
  resolveOwnPrograms(
    ['git', 'bwrap', 'slirp4netns', 'ip', 'unshare', 'node', ...presetPrograms()],
    workerSecrets.environment.PATH,
  );
  noteServer(workerSecrets.environment, parts.serverAddress);
  const store = new FileStore(parts.storeFolder);
  const root = rootOfStore(parts.storeFolder);
  const models = observeCalls(createModels({ secrets: workerSecrets, store, own }), onModelCall);
  const agents = { models, registry: createToolRegistry() };
  const { storePage, readPage } = createPages(store);
  const withSecrets = secretsOfTask(workerSecrets);
  return {
    prepareTask: withHeartbeat(withSecrets((secrets) => createPrepareTask({ ...parts, secrets }, store))),
    planTask: withHeartbeat(withSecrets((secrets) => createPlanTask({ store, root, secrets, models }))),
    diagnoseFailure: withHeartbeat(withSecrets((secrets) => createDiagnoseFailure({ store, root, secrets, models }))),
    phraseEscalation: withHeartbeat(withSecrets((secrets) => createRewordEscalation({ store, root, secrets, models }))),
    extractLessons: withHeartbeat(withSecrets((secrets) => createExtractLessons({ store, root, secrets, models }))),
    composeCall: withHeartbeat(createComposeCall(store)),
    keepEvidence: withHeartbeat(withSecrets((secrets) => createKeepEvidence({ store, root, secrets }))),
    executeSubtask: withSecrets((secrets) => createExecuteSubtask({ store, root, secrets, agents })),
    verifySubtask: withSecrets((secrets) => createVerifySubtask({ store, root, secrets })),
    recheckSubtask: withHeartbeat(withSecrets((secrets) => createRecheckSubtask({ store, root, secrets }))),
    finishTask: withHeartbeat(withSecrets((secrets) => createFinishTask({ store, root, secrets }))),
    judgeSubtask: withHeartbeat(withSecrets((secrets) => createJudgeSubtask({ store, root, secrets, models }))),
    mergeSubtask: withHeartbeat(withSecrets((secrets) => createMergeSubtask({ store, root, secrets }))),
    revertAttempt: withHeartbeat(withSecrets((secrets) => createRevertAttempt({ root, secrets }))),
    storePage: withHeartbeat(storePage),
    readPage: withHeartbeat(readPage),
  };
}
