import type { AgentEnd } from '../../agent/agent-end.ts';
import type { ConversationLog } from '../../agent/conversation-log.ts';
import { LiveLog } from '../../agent/live-log.ts';
import { DamagedConversation, resumeConversation } from '../../agent/resume-conversation.ts';
import { runAgent } from '../../agent/run-agent.ts';
import type { Toolbox } from '../../agent/toolbox.ts';
import {
  describeAnswer,
  describeCompaction,
  describeLog,
  describePermit,
  describeTurn,
} from '../../../domain/conversation/describe.ts';
import { cancelledMeanwhile, buildMachineFailure } from '../../../domain/failure/classify.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import { toolNames } from '../../../domain/executors/agent.ts';
import type { AgentInput, Grant, GrantKey } from '../../../domain/types/agent.ts';
import type { Outcome } from '../../../domain/types/outcome.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { clip } from '../../../domain/text/text.ts';
import type { AskTask } from '../../temporal/ask-task.ts';
import { handedOver } from '../../attempt/live-run.ts';
import type { LiveRun } from '../../attempt/live-run.ts';
import type { OwnedAttempt } from '../../attempt/owned-attempt.ts';
import { removeOtherScratch } from '../../attempt/attempt-scratch.ts';
import { readOriginal } from '../../agent/compaction/read-original.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Models } from '../../llm/ports/model.ts';
import type { Variables } from '../../programs/base-environment.ts';
import { programFolders } from '../../programs/own-programs.ts';
import { redactorFor } from '../../programs/redact-secrets.ts';
import { redactKnownSecrets } from '../../redact/known-secrets.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { watchCommands } from '../../repositories/watch-commands.ts';
import { openCommands } from '../../sandbox/open-commands.ts';
import type { Store } from '../../store/store.ts';
import { isSystemError } from '../../system/system-error.ts';
import type { ToolPlace } from '../../tools/common/tool.ts';
import type { WriteWatch } from '../../workspace/snapshots/attempt-snapshots.ts';
import { ownFolders } from '../../home/xdg.ts';
import type { AgentAssignment } from '../../attempt/assignment.ts';
import type { AttemptStart } from '../../attempt/attempt-executor.ts';
import { keepImages, outcomeOfAgent, suspended, buildAgentFacts, type AgentFacts } from './agent-outcome.ts';
import { gateFacts } from '../../attempt/gate-facts.ts';
import { AgentPreparationError, prepareAgent } from './prepare-agent.ts';
import { transientFailure } from '../../temporal/transient-failure.ts';

/** What a worker gives its agents. */
export interface AgentPorts {
  models: Models;
  toolbox: Toolbox;
}

interface RunParts {
  store: Store;
  /** Heddle's home: none of an agent's business. */
  root: string;
  env: Variables;
  assignment: AgentAssignment;
  live: LiveRun<Outcome>;
  owned: OwnedAttempt;
  askTask: AskTask;
  agents: AgentPorts;
  watch?: WriteWatch;
}

/** One start of an agent's attempt: its conversation goes on where the last one stopped, however it stopped. */
export class AgentRun implements AttemptStart {
  readonly #parts: RunParts;
  readonly #owned: OwnedAttempt;
  readonly #redactor: Redactor;
  readonly #refusals: { tool: string; why: string }[] = [];
  readonly #repositories: RepositoryChange[] = [];

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#owned = parts.owned;
    this.#redactor = redactorFor(parts.env, parts.assignment.variables);
  }

  /** Nothing of it is lost: it goes on, and its record says that it was cut off. */
  async afterCrash(): Promise<undefined> {
    await removeOtherScratch(this.#owned.paths, this.#owned.record.run);
    return undefined;
  }

  async execute(): Promise<Outcome | typeof handedOver> {
    let log: ConversationLog | undefined;
    try {
      log = await this.#resume();
      const end = await this.#lead(log);
      return await this.#close(log, end);
    } catch (error) {
      const failure = failureBehind(error);
      if (failure === undefined) throw error;
      const { used, reruns } = this.#owned.record;
      const usage = { used: log?.conversation.spending.used ?? used, reruns };
      // What the disk does not take cannot be told, but what was used still counts.
      const facts = log === undefined ? usage : await this.#tell(log).catch(() => usage);
      return await this.#owned.end({ kind: 'failed', failure, ...facts });
    } finally {
      await log?.close();
    }
  }

  #resume(): Promise<ConversationLog> {
    const { assignment, store, agents } = this.#parts;
    const { paths, record } = this.#owned;
    const redact = (text: string): string => this.#hide(text);
    return resumeConversation({
      path: paths.conversation,
      startedAt: assignment.input.startedAt,
      run: record.run,
      refuseUnlessOurs: () => this.#owned.refuseUnlessOurs(),
      begin: () => prepareAgent(assignment, { store, toolbox: agents.toolbox, redact }),
    });
  }

  async #lead(log: ConversationLog): Promise<AgentEnd> {
    const { assignment, store, agents, live, watch } = this.#parts;
    const { input, executor, agent, subtask } = assignment;
    const { frame } = log.conversation;
    const names = toolNames.filter((name) => frame.tools.some((tool) => tool.name === name));
    const shown = await LiveLog.open(
      this.#owned.paths,
      this.#owned.record.run,
      describeLog(log.entries).map((line) => this.#hide(line)),
    );
    const show = (...lines: string[]): void => {
      const safe = lines.map((line) => this.#hide(line));
      shown.write(...safe);
      for (const line of safe) live.note({ line: line.trim() });
    };
    try {
      return await runAgent({
        ...agents,
        log,
        store,
        tools: agents.toolbox.create(names),
        place: await this.#place(log),
        asker: { task: input.taskId, role: 'executor', subtask: subtask.id, attempt: input.attempt },
        signal: live.signal,
        iterations: executor.iterations,
        timeout: input.timeout,
        ceiling: buildCeiling(agent),
        resume: agent.resume,
        askTask: this.#parts.askTask,
        redact: (text) => this.#hide(text),
        onTurn: (turn) => show(...describeTurn(turn, frame.model.name)),
        onAnswer: (answer, call) => show(describeAnswer(answer, call)),
        onRefusal: (tool, why) => this.#refused(tool, why),
        onPermit: (permit) => show(describePermit(permit)),
        onCompaction: (fold) => show(describeCompaction(fold)),
        ...(watch === undefined ? {} : { watch }),
      });
    } finally {
      await shown.close();
    }
  }

  async #place({ entries }: ConversationLog): Promise<Omit<ToolPlace, 'signal'>> {
    const { assignment, root, env, store } = this.#parts;
    const { workspace, readRoots, subtask, input, sandbox } = assignment;
    const { mark, run } = this.#owned.record;
    const own = ownFolders(root, env);
    const port = await openCommands(sandbox, {
      ...{ workspace, readRoots, env },
      hidden: own,
      // What a crash leaves running is found by it, and ended before anybody goes on.
      mark: `${mark}${run}`,
      redactor: this.#redactor,
    });
    const commands = await watchCommands(port, {
      ...{ root, workspace, hidden: own, path: env['PATH'] ?? '', task: input.taskId, subtask: subtask.id },
      mostFolders: activityLimits.repositories.folders,
      onChange: (change) => this.#found(change),
    });
    const gates = gateFacts(assignment, { own, commands });
    const readReference = (reference: string): Promise<string | undefined> =>
      readOriginal(reference, { entries, store });
    const { deliverables } = subtask;
    const { attempt } = input;
    const guarded = { own, programs: programFolders(env['PATH'], workspace) };
    return { workspace, readRoots, guarded, deliverables, attempt, commands, gates, readOriginal: readReference };
  }

  async #close(log: ConversationLog, end: AgentEnd): Promise<Outcome | typeof handedOver> {
    await log.append({ k: 'stop', why: formatEnd(end) });
    const facts = await this.#tell(log);
    if (end.kind === 'aborted') return this.#leave(facts);
    if (end.kind === 'transient') return this.#waitFor(log, end, facts);
    const { store, assignment } = this.#parts;
    const { timeout } = assignment.input;
    const parts = { store, redact: (text: string) => this.#hide(text), redactor: this.#redactor, timeout };
    return this.#owned.end(await keepImages(await outcomeOfAgent(end, facts, parts), log, store));
  }

  /** Only a person's cancellation ends the attempt; another worker goes on with the rest, where nothing is to be done again. */
  async #leave(facts: AgentFacts): Promise<Outcome | typeof handedOver> {
    if (this.#parts.live.signal.reason === 'cancelled') {
      return this.#owned.end({ kind: 'failed', failure: cancelledMeanwhile(), ...facts });
    }
    await this.#owned.finish({ state: 'waiting' });
    return handedOver;
  }

  /** Temporal's retries do not begin anew with each step: once there was one, the attempt stands still instead of using them up. */
  async #waitFor(
    log: ConversationLog,
    end: Extract<AgentEnd, { kind: 'transient' }>,
    facts: AgentFacts,
  ): Promise<Outcome> {
    const { failure, waitMs } = end;
    if (end.progress) {
      const waits = suspended('wait', failure.summary, facts, waitMs);
      return this.#owned.end(await keepImages(waits, log, this.#parts.store));
    }
    const { used, reruns, output } = facts;
    await this.#owned.finish({ state: 'waiting' });
    throw transientFailure(
      failure.summary,
      { failure, used, reruns, ...(output === undefined ? {} : { output }) },
      waitMs,
    );
  }

  async #tell(log: ConversationLog): Promise<AgentFacts> {
    const { store } = this.#parts;
    const { record } = this.#owned;
    const redact = (text: string): string => this.#hide(text);
    const facts = await buildAgentFacts(log, {
      store,
      record,
      redact,
      refusals: this.#refusals,
      repositories: this.#repositories,
    });
    this.#owned.note({ used: facts.used });
    return facts;
  }

  #refused(tool: string, why: string): void {
    const { refusals, refusal } = activityLimits.agent;
    if (this.#refusals.length < refusals) this.#refusals.push({ tool, why: clip(this.#hide(why), refusal) });
  }

  /** Changes that nothing had to be taken out of are for those who look at the diff. */
  #found({ path, state, removed }: RepositoryChange): void {
    if (state === 'changed' && removed.length === 0) return;
    if (this.#repositories.length >= activityLimits.repositories.told) return;
    this.#repositories.push({ path: this.#hide(path), state, removed: removed.map((name) => this.#hide(name)) });
  }

  #hide(text: string): string {
    return redactKnownSecrets(this.#redactor.text(text));
  }
}

/** Trouble that is told as a failure of the attempt; undefined for what is wrong in our own code, or not ours to end. */
function failureBehind(error: unknown): Failure | undefined {
  if (error instanceof AgentPreparationError) return error.failure;
  if (error instanceof DamagedConversation) return buildFailure('blocked', { summary: error.message });
  return isSystemError(error) ? buildMachineFailure(error.message) : undefined;
}

/** What was granted counts from what the workflow knew when it gave it: however often it is executed, it is given once. */
function buildCeiling({ grant, spent = {} }: AgentInput): Grant {
  const entries = Object.entries(grant) as [GrantKey, number][];
  return Object.fromEntries(entries.map(([key, more]) => [key, (spent[key] ?? 0) + more]));
}

function formatEnd(end: AgentEnd): string {
  switch (end.kind) {
    case 'reported':
      return `reported ${end.contract.status}`;
    case 'failed':
    case 'transient':
      return `${end.failure.type}: ${end.failure.summary}`;
    case 'asks':
      return 'asks a person';
    case 'out-of-budget':
      return `used up what it was granted of ${end.keys.join(' and ')}`;
    case 'paused':
      return 'the task is paused';
    case 'aborted':
      return 'stopped from outside';
  }
}
