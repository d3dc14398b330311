import type { AgentEnd } from '../../agent/agent-end.ts';
import type { ConversationLog } from '../../agent/conversation-log.ts';
import type { ConversationOwner } from '../../agent/conversation-owner.ts';
import { leadConversation } from '../../agent/lead-conversation.ts';
import { DamagedConversation, resumeConversation } from '../../agent/resume-conversation.ts';
import { cancelledMeanwhile, buildMachineFailure } from '../../../domain/failure/classify.ts';
import type { AgentExecutor } from '../../../domain/executors/agent.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { AgentInput, Grant, GrantKey } from '../../../domain/types/agent.ts';
import type { Outcome } from '../../../domain/types/outcome.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import type { RepositoryChange } from '../../../domain/types/basic/workspace.ts';
import { clip } from '../../../domain/text/text.ts';
import { handedOver } from '../../attempt/live-execution.ts';
import type { OwnedRecord } from '../../attempt/owned-record.ts';
import { removeOtherScratch } from '../../attempt/attempt-scratch.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { ServerPlace } from '../../mcp/server-place.ts';
import type { ForeignSchema } from '../../../domain/servers/name-tools.ts';
import { listForeignTools, openServerPlace, openServers, type WatchPort } from './open-servers.ts';
import { redactKnownSecrets } from '../../redact/known-secrets.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { isSystemError } from '../../system/system-error.ts';
import type { AttemptExecution } from '../../attempt/attempt-execution.ts';
import { keepImages, outcomeOfAgent, suspended, buildAgentFacts, type AgentFacts } from './agent-outcome.ts';
import { AgentEvidence } from './agent-evidence.ts';
import type { AgentPorts, ExecutionParts } from '../../attempt/execution-parts.ts';
import { ownConversation } from './conversation-of-attempt.ts';
import { openToolContext } from './open-tool-context.ts';
import { AgentPreparationError, prepareAgent } from './prepare-agent.ts';
import { transientFailure } from '../../temporal/transient-failure.ts';

/** An execution on a worker that has models and tools. */
type AgentParts = ExecutionParts<AgentExecutor> & { agents: AgentPorts };

/** One execution of an agent's attempt: it continues the conversation where the last execution stopped, however that stopped. */
export class AgentExecution implements AttemptExecution {
  readonly #parts: AgentParts;
  readonly #owned: OwnedRecord;
  readonly #redactor: Redactor;
  readonly #owner: ConversationOwner;
  readonly #evidence: AgentEvidence;
  readonly #refusals: { tool: string; why: string }[] = [];
  readonly #repositories: RepositoryChange[] = [];

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#owned = parts.owned;
    this.#redactor = parts.secrets.redactor(parts.attempt.variables);
    const redact = (text: string): string => redactKnownSecrets(this.#redactor.text(text));
    this.#owner = ownConversation({ ...parts, redact });
    this.#evidence = new AgentEvidence({ ...parts, redact });
  }

  /** Nothing of the conversation is lost: it continues, and its record says that it was cut off. */
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
      const failure = findFailure(error);
      if (failure === undefined) throw error;
      const { used, reruns } = this.#owned.record;
      const usage = { used: log?.conversation.spending.used ?? used, reruns };
      // A full disk may take no facts of the conversation, but its usage still counts.
      const facts = log === undefined ? usage : await this.#collectFacts(log).catch(() => usage);
      return await this.#owned.end({ kind: 'failed', failure, ...facts });
    } finally {
      await log?.close();
    }
  }

  #resume(): Promise<ConversationLog> {
    const { attempt, store, agents } = this.#parts;
    const { redact } = this.#owner;
    return resumeConversation({
      owner: this.#owner,
      begin: async () =>
        prepareAgent(attempt, { store, registry: agents.registry, redact, foreign: await this.#listForeign() }),
    });
  }

  /** The tools of servers that this attempt has until its end, whatever its servers say later. */
  #listForeign(): Promise<ForeignSchema[]> {
    const { attempt, live } = this.#parts;
    return listForeignTools(attempt, { place: this.#openPlace(), signal: live.signal });
  }

  async #lead(log: ConversationLog): Promise<AgentEnd> {
    const { attempt, root, secrets, store, agents, live, watch } = this.#parts;
    const { input, executor, agent } = attempt;
    const { context, watch: watchProgram } = await openToolContext({
      ...{ attempt, root, store, log },
      environment: secrets.environment,
      record: this.#owned.record,
      redactor: this.#redactor,
      redact: this.#owner.redact,
      onChange: (change) => this.#noteChange(change),
    });
    const servers = openServers(attempt, {
      place: this.#openPlace(watchProgram),
      tools: log.conversation.frame.tools,
      gates: context.gates,
      onProgress: (line) => live.note({ line: this.#owner.redact(line) }),
    });
    try {
      return await leadConversation({
        ...{ ...agents, owner: this.#owner, log, store, context },
        registry: servers.tools.length === 0 ? agents.registry : agents.registry.with(servers.tools),
        signal: live.signal,
        iterations: executor.iterations,
        timeout: input.timeout,
        ceiling: buildCeiling(agent),
        resume: agent.resume,
        notesBefore: await this.#evidence.lastNumber(),
        onLine: (line) => live.note({ line }),
        onRefusal: (tool, why) => this.#noteRefusal(tool, why),
        ...(watch === undefined ? {} : { watch }),
      });
    } finally {
      await servers.close();
    }
  }

  #openPlace(watch?: WatchPort): ServerPlace {
    const { attempt, root, secrets } = this.#parts;
    const own = { attempt, root, secrets, record: this.#owned.record, redactor: this.#redactor };
    return openServerPlace({ ...own, ...(watch === undefined ? {} : { watch }) });
  }

  async #close(log: ConversationLog, end: AgentEnd): Promise<Outcome | typeof handedOver> {
    await log.append({ k: 'stop', why: formatEnd(end) });
    const facts = await this.#collectFacts(log);
    if (end.kind === 'aborted') return this.#leave(facts);
    if (end.kind === 'transient') return this.#waitFor(log, end, facts);
    const { store, attempt } = this.#parts;
    const { timeout } = attempt.input;
    const parts = { store, redact: this.#owner.redact, redactor: this.#redactor, timeout };
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

  /** Temporal's retries do not begin again with each step: once there was one, the attempt stands still instead of using them up. */
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

  async #collectFacts(log: ConversationLog): Promise<AgentFacts> {
    const { store } = this.#parts;
    const { record } = this.#owned;
    const { redact } = this.#owner;
    const facts = await buildAgentFacts(log, {
      store,
      record,
      redact,
      refusals: this.#refusals,
      repositories: this.#repositories,
      hasNetwork: this.#parts.attempt.sandbox.network,
    });
    this.#owned.note({ used: facts.used });
    const evidence = await this.#evidence.keep(log);
    return evidence === undefined ? facts : { ...facts, evidence };
  }

  #noteRefusal(tool: string, why: string): void {
    const { refusals, refusal } = activityLimits.agent;
    if (this.#refusals.length < refusals) this.#refusals.push({ tool, why: clip(this.#owner.redact(why), refusal) });
  }

  /** Changes that nothing had to be taken out of are for those who look at the diff. */
  #noteChange({ path, state, removed }: RepositoryChange): void {
    if (state === 'changed' && removed.length === 0) return;
    if (this.#repositories.length >= activityLimits.repositories.told) return;
    const { redact } = this.#owner;
    this.#repositories.push({ path: redact(path), state, removed: removed.map(redact) });
  }
}

/** Trouble that is told as a failure of the attempt; undefined for what is wrong in our own code, or not ours to end. */
function findFailure(error: unknown): Failure | undefined {
  if (error instanceof AgentPreparationError) return error.failure;
  if (error instanceof DamagedConversation) return buildFailure('blocked', { summary: error.message });
  return isSystemError(error) ? buildMachineFailure(error.message) : undefined;
}

/** A grant counts from the usage that the workflow knew when it gave it: it is given once, however many executions there are. */
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
      return `used up its grant of ${end.keys.join(' and ')}`;
    case 'paused':
      return 'the task is paused';
    case 'aborted':
      return 'stopped from outside';
  }
}
