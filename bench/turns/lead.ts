import type { AgentEnd } from '../../activities/agent/agent-end.ts';
import { ConversationLog } from '../../activities/agent/conversation-log.ts';
import { resumeConversation } from '../../activities/agent/resume-conversation.ts';
import { runAgent } from '../../activities/agent/run-agent.ts';
import { openAttempt } from '../../activities/attempt/open-attempt.ts';
import { OwnedRecord } from '../../activities/attempt/owned-record.ts';
import { attemptPaths } from '../../activities/home/home-layout.ts';
import type { ModelReply, ModelRequest, Models } from '../../activities/llm/ports/model.ts';
import { createToolRegistry } from '../../activities/tools/built-in-tools.ts';
import { toolNames } from '../../domain/executors/agent.ts';
import type { Model } from '../../domain/types/llm.ts';
import { systemPrompt } from '../../activities/prompts/system-prompt.ts';
import { agentParts } from '../agent-parts.ts';

export const turnSides = ['memory', 'durable'] as const;
export type TurnSide = (typeof turnSides)[number];

/** Characters of a reply; with its frame a line of the log has about 20 KB. */
const replyLength = 20_000;
export const turnText = 'All of this is said by a model. '.repeat(replyLength / 32);

const model: Model = {
  name: 'bench',
  id: 'bench',
  provider: { name: 'bench', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' },
  tier: 1,
  roles: ['executor'],
  context: 100_000_000,
  output: 8_000,
  thinking: 'off',
  stream: false,
};

const tools = createToolRegistry().schemas(toolNames);

export interface Place {
  /** The home, and the folder with the file that each turn reads. */
  root: string;
  workspace: string;
  /** The path of a file in the workspace. */
  file: string;
}

let attempts = 0;

/** One conversation that goes on by a turn whenever it is told to. */
export interface Led {
  /** The reply, its line, its call, until the next request; in milliseconds. */
  turn(): Promise<number>;
  close(): Promise<void>;
}

export async function leadTurns(side: TurnSide, turns: number, place: Place): Promise<Led> {
  attempts += 1;
  const log = side === 'memory' ? memoryLog() : await durableLog(place, attempts);
  const models = new HeldModels((turn) => replyOf(turn, turns, place.file));
  const ended = runAgent({ ...agentParts({ ...place, attempt: attempts, turns }), log, models });
  const next = (): Promise<unknown> => Promise.race([models.nextRequest(), ended.then(refuseOtherEnd)]);
  await next();
  return {
    turn: async () => {
      const begun = performance.now();
      models.answer();
      await next();
      return performance.now() - begun;
    },
    close: async () => {
      models.answer();
      refuseOtherEnd(await ended);
      await log.close();
    },
  };
}

function refuseOtherEnd({ kind }: AgentEnd): void {
  if (kind !== 'reported') throw new Error(`the conversation of the bench ended otherwise: ${kind}`);
}

/** Holds each request until it is to be answered, so that several conversations take their turns one after the other. */
class HeldModels implements Models {
  readonly #replyOf: (turn: number) => ModelReply;
  #arrived = Promise.withResolvers<boolean>();
  #answer = (): void => undefined;

  constructor(replyTo: (turn: number) => ModelReply) {
    this.#replyOf = replyTo;
  }

  call({ asker }: ModelRequest): Promise<ModelReply> {
    const reply = Promise.withResolvers<ModelReply>();
    this.#answer = () => reply.resolve(this.#replyOf(asker.turn));
    this.#arrived.resolve(true);
    return reply.promise;
  }

  nextRequest(): Promise<boolean> {
    return this.#arrived.promise;
  }

  answer(): void {
    this.#arrived = Promise.withResolvers<boolean>();
    this.#answer();
  }
}

function memoryLog(): ConversationLog {
  const kept: string[] = [];
  const file = {
    append: (text: string) => Promise.resolve(void kept.push(text)),
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const entries = [{ k: 'frame' as const, owner: 'now', at: 0, ...frame() }];
  return new ConversationLog({ file, entries, owner: { refuseUnlessOurs: () => Promise.resolve() }, now: Date.now });
}

/** As an execution opens it: with a running record that is looked at after each line. */
async function durableLog({ root, workspace }: Place, attempt: number): Promise<ConversationLog> {
  const startedAt = new Date().toISOString();
  const key = { taskId: 'bench', subtaskId: 'bench', attempt, chain: 'bench', startedAt };
  const paths = attemptPaths(root, key, 'bench');
  const call = { startedAt, schedule: 'bench', isRetry: false };
  const opening = await openAttempt(paths, { workspace, deliverables: [] }, call);
  if (opening.kind !== 'opened') throw new Error(`the attempt of the bench is ${opening.kind}`);
  const { record } = opening;
  const owned = new OwnedRecord({ paths, record, key, logger: { warn: () => undefined } });
  return resumeConversation({
    owner: {
      key: startedAt,
      run: record.run,
      log: paths.conversation,
      refuseUnlessOurs: () => owned.refuseUnlessOurs(),
    },
    begin: () => Promise.resolve(frame()),
  });
}

const frame = () => ({
  system: systemPrompt('executor', {}),
  first: 'Read the file, line by line.',
  tools,
  model,
  thinking: false,
  maxOutput: model.output,
});

function replyOf(turn: number, turns: number, file: string): ModelReply {
  const last = turn > turns;
  const tool = last ? 'finish' : 'read_file';
  const input = last ? { status: 'success', notes: '', deliverablesTouched: [] } : { path: file, from: turn, lines: 1 };
  return {
    parts: [
      { type: 'text', text: turnText },
      { type: 'call', id: `call-${turn}`, tool, input: JSON.stringify(input) },
    ],
    finish: 'calls',
    usage: { input: 1_000, output: 5_000, cached: 0, reasoning: 0 },
    took: 0,
  };
}
