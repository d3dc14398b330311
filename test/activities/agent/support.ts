import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { createExecuteSubtask } from '../../../activities/execute/execute-subtask.ts';
import { attemptPaths, type AttemptPaths } from '../../../activities/home/home-layout.ts';
import { ModelError, type ModelReply, type ModelRequest, type Models } from '../../../activities/llm/ports/model.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { ToolRegistry } from '../../../activities/tools/common/tool-registry.ts';
import { agent as agentKind } from '../../../domain/executors/agent.ts';
import type { ContextRules } from '../../../domain/types/basic/compaction-rules.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { AgentInput } from '../../../domain/types/agent.ts';
import type { ExecuteInput } from '../../../domain/types/attempt.ts';
import type { FailureType } from '../../../domain/types/basic/failure-types.ts';
import type { ReplyPart } from '../../../domain/conversation/message.ts';
import type { Model } from '../../../domain/types/llm.ts';
import type { Outcome, Suspended } from '../../../domain/types/outcome.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import type { GateRules, WebSetting } from '../../../domain/types/basic/gate.ts';
import type { PromptChanges } from '../../../domain/types/basic/prompt-sections.ts';
import { activityEnvironment, temporaryFolder } from '../execute/program/support.ts';
import { subtask } from '../execute/program/support-subtask.ts';
import { localTools } from './support-tools.ts';

export const model: Model = {
  name: 'small',
  id: 'small-1',
  provider: { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' },
  tier: 1,
  roles: ['executor'],
  context: 100_000,
  output: 1_000,
  thinking: 'effort',
  stream: true,
  price: { in: 10, out: 20 },
};

/** Usage of each call: 100 tokens in, 10 out. */
export const usage = { input: 100, output: 10, cached: 0, reasoning: 0 };
export const callUsd = (100 * 10 + 10 * 20) / 1e6;

export const call = (tool: string, input: unknown): ReplyPart => ({
  type: 'call',
  id: `id-${tool}`,
  tool,
  input: typeof input === 'string' ? input : JSON.stringify(input),
});
export const text = (content: string): ReplyPart => ({ type: 'text', text: content });

export const finish = (given: { status?: string; notes?: string; deliverablesTouched?: string[] } = {}): ReplyPart =>
  call('finish', { status: 'success', notes: 'done', deliverablesTouched: [], ...given });

export const reply = (parts: ReplyPart[], given: Partial<ModelReply> = {}): ModelReply => ({
  parts,
  finish: parts.some(({ type }) => type === 'call') ? 'calls' : 'stop',
  usage,
  took: 5,
  ...given,
});

export const trouble = (type: FailureType, given: { retryAfter?: number; mayCost?: boolean } = {}): ModelError =>
  new ModelError(buildFailure(type, { summary: `the model is ${type}` }), given);

type ScriptedReply = ReplyPart[] | ModelReply | Error;

/** Answers by the number of the turn, as a provider's script would; the last one answers all that follow. */
export class ScriptedModels implements Models {
  readonly requests: ModelRequest[] = [];
  readonly #script: readonly (ScriptedReply | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>))[];

  constructor(...script: (ScriptedReply | ((request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>))[]) {
    this.#script = script;
  }

  async call(request: ModelRequest): Promise<ModelReply> {
    this.requests.push(request);
    // A real one answers later.
    await sleep(0);
    const given = this.#script[Math.min(request.asker.turn, this.#script.length) - 1];
    const scripted = typeof given === 'function' ? await given(request) : given;
    if (scripted === undefined) throw new Error('there is no script');
    if (scripted instanceof Error) throw scripted;
    return Array.isArray(scripted) ? reply(scripted) : scripted;
  }

  /** The text that the model got last before a turn. */
  heard(turn: number): string {
    const request = this.requests.findLast(({ asker }) => asker.turn === turn);
    const messages = request?.messages ?? [];
    const from = messages.findLastIndex((message) => message.from === 'model') + 1;
    return messages
      .slice(from)
      .map((message) => {
        if (message.from === 'tools') return message.results.map((result) => result.text).join('\n');
        return message.from === 'user' ? message.text : '';
      })
      .join('\n');
  }
}

export interface Given extends Partial<Pick<Subtask, 'description' | 'deliverables'>> {
  input?: Partial<ExecuteInput>;
  agent?: Partial<AgentInput>;
  iterations?: number;
  model?: Partial<Model>;
  variables?: string[];
  context?: Partial<ContextRules>;
  prompts?: PromptChanges;
  /** Besides the one that leads the conversation. */
  models?: Model[];
  gates?: Partial<GateRules>;
  web?: WebSetting;
}

export interface AgentRig {
  root: string;
  workspace: string;
  store: FileStore;
  paths: AttemptPaths;
  input(given?: Given): Promise<ExecuteInput>;
  /** One call by Temporal; each has another scheduling unless `retry` says otherwise. */
  execute(models: Models, given?: Given & { retry?: number }): Promise<Outcome>;
  read(ref: { sha256: string; bytes: number } | undefined): Promise<string>;
}

/** No snapshot is taken, as on a machine without git: what they see of attempts is looked at in `test/activities/workspace`. */
const noGit = { PATH: '/nonexistent' };

let schedulings = 0;

export async function makeAgentRig(
  parts: { env?: Record<string, string | undefined>; registry?: ToolRegistry } = {},
): Promise<AgentRig> {
  const folder = await temporaryFolder();
  const root = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const store = new FileStore(join(root, 'store'));
  const input = async (given: Given = {}): Promise<ExecuteInput> => {
    const { description = 'Write NOTES.md.', deliverables = [], iterations = 20 } = given;
    const executor = agentKind.complete({ kind: 'agent', iterations }, { timeout: 30_000 });
    const page = {
      goal: 'the goal',
      variables: given.variables ?? [],
      models: [{ ...model, ...given.model }, ...(given.models ?? [])],
      context: given.context ?? {},
      ...(given.prompts === undefined ? {} : { prompts: given.prompts }),
      ...(given.gates === undefined ? {} : { gates: { allow: [], ask: [], deny: [], ...given.gates } }),
      ...(given.web === undefined ? {} : { web: given.web }),
      subtasks: [subtask('draft', { description, deliverables, executor })],
    };
    return {
      taskId: 't1',
      subtaskId: 'draft',
      chain: 'chain-1',
      startedAt: '2026-01-01T00:00:00.000Z',
      plan: await store.put(JSON.stringify(page)),
      workspace,
      attempt: 1,
      tier: 1,
      thinking: false,
      timeout: 30_000,
      context: { guidance: [], steering: [], retry: null },
      inputs: [],
      idempotencyKey: 't1/draft/1',
      agent: {
        grant: {},
        resume: null,
        brief: { counts: { running: 1, pending: 2 }, subtasks: [{ id: 'draft', status: 'running' }] },
        outputFactor: 1,
        ...given.agent,
      },
      ...given.input,
    };
  };
  const execute: AgentRig['execute'] = async (models, given = {}) => {
    schedulings += given.retry === undefined ? 1 : 0;
    const executeSubtask = createExecuteSubtask({
      store,
      root,
      secrets: new EnvironmentSecrets(parts.env ?? noGit),
      logger: { warn: () => undefined },
      agents: { models, registry: parts.registry ?? new ToolRegistry(localTools) },
    });
    const environment = activityEnvironment({ scheduledTimestampMs: schedulings, attempt: given.retry ?? 1 });
    return environment.run(executeSubtask, await input(given));
  };
  const read: AgentRig['read'] = async (ref) => (ref === undefined ? '' : (await store.get(ref)).toString());
  return { root, workspace, store, paths: attemptPaths(root, await input(), 'test'), input, execute, read };
}

export function suspendedIn(outcome: Outcome): Suspended {
  if (outcome.kind !== 'suspended') throw new Error(JSON.stringify(outcome));
  return outcome;
}
