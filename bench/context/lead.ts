import { ConversationLog } from '../../activities/agent/conversation-log.ts';
import { runAgent } from '../../activities/agent/run-agent.ts';
import type { ModelReply, ModelRequest, Models } from '../../activities/llm/ports/model.ts';
import { createToolRegistry } from '../../activities/tools/built-in-tools.ts';
import { estimateTokenCount } from 'tokenx';
import { defaultContext, type ContextRules } from '../../domain/types/basic/compaction-rules.ts';
import { toolNames } from '../../domain/executors/agent.ts';
import type { Model } from '../../domain/types/llm.ts';
import { systemPrompt } from '../../activities/prompts/system-prompt.ts';
import { agentParts } from '../agent-parts.ts';

/** One conversation: what it sent, what of that a provider had seen before, and what it took. */
export interface ContextUse {
  requests: number;
  /** Tokens of all requests together, by estimate, and those of the beginnings that were sent before. */
  sent: number;
  cached: number;
  largest: number;
  compactions: number;
  /** Use of a model that was asked for summaries: calls, and tokens that it was sent and wrote. */
  summaries: { calls: number; input: number; output: number };
  /** Milliseconds of CPU. */
  cpu: number;
}

export interface Wanted {
  turns: number;
  /** Tokens of the model's window. */
  context: number;
  mode: ContextRules['mode'];
  /** A model writes the summaries, each as long as it may be. */
  summarises?: boolean;
}

const tools = createToolRegistry().schemas(toolNames);

/** Every turn reads 10 KB that no other has read. The conversation is in memory: its log is measured elsewhere. */
export async function leadLong(
  { turns, context, mode, summarises = false }: Wanted,
  place: { root: string; workspace: string; file: string; lines: number },
): Promise<ContextUse> {
  const model: Model = {
    ...{ name: 'bench', id: 'bench', tier: 1, roles: ['executor'], output: 8_000, thinking: 'off', stream: false },
    provider: { name: 'bench', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' },
    context,
  };
  const counter = new CountingModels(turns, place);
  const log = memoryLog({ model, ...(summarises ? { compactor: model } : {}) }, { ...defaultContext, mode });
  const begun = process.cpuUsage();
  const end = await runAgent({ ...agentParts({ ...place, attempt: 1, turns }), log, models: counter });
  if (end.kind !== 'reported') throw new Error(`the conversation of the bench ended otherwise: ${end.kind}`);
  const { user, system } = process.cpuUsage(begun);
  const cpu = (user + system) / 1_000 - counter.cpu;
  return { ...counter.totals, compactions: log.conversation.compactions.length, cpu };
}

/** Counts what it is sent. What that takes is not the conversation's. */
class CountingModels implements Models {
  readonly totals = { requests: 0, sent: 0, cached: 0, largest: 0, summaries: { calls: 0, input: 0, output: 0 } };
  cpu = 0;
  readonly #turns: number;
  readonly #place: { file: string; lines: number };
  #before: string[] = [];
  readonly #known = new Map<string, number>();

  constructor(turns: number, place: { file: string; lines: number }) {
    this.#turns = turns;
    this.#place = place;
  }

  call(request: ModelRequest): Promise<ModelReply> {
    const begun = process.cpuUsage();
    const reply = request.asker.role === 'compactor' ? this.#summarise(request) : this.#answer(request);
    const { user, system } = process.cpuUsage(begun);
    this.cpu += (user + system) / 1_000;
    return Promise.resolve(reply);
  }

  #answer(request: ModelRequest): ModelReply {
    const input = this.#count(request);
    const { turn } = request.asker;
    const { file, lines } = this.#place;
    const isLast = turn > this.#turns;
    const given = isLast
      ? { status: 'success', notes: '', deliverablesTouched: [] }
      : { path: file, from: (turn - 1) * lines + 1, lines };
    const tool = isLast ? 'finish' : 'read_file';
    return {
      parts: [
        { type: 'text', text: `Step ${turn}.` },
        { type: 'call', id: `call-${turn}`, tool, input: JSON.stringify(given) },
      ],
      finish: 'calls',
      usage: { input, output: 50, cached: 0, reasoning: 0 },
      took: 0,
    };
  }

  #summarise({ system, messages, maxOutput }: ModelRequest): ModelReply {
    const input = [system, ...messages.map((message) => JSON.stringify(message))].reduce(
      (sum, text) => sum + this.#sizeOf(text),
      0,
    );
    const { summaries } = this.totals;
    summaries.calls += 1;
    summaries.input += input;
    summaries.output += maxOutput;
    return {
      parts: [{ type: 'text', text: 'word '.repeat(maxOutput) }],
      finish: 'stop',
      usage: { input, output: maxOutput, cached: 0, reasoning: 0 },
      took: 0,
    };
  }

  #count({ system, messages, tools: schemas }: ModelRequest): number {
    const texts = [system, JSON.stringify(schemas), ...messages.map((message) => JSON.stringify(message))];
    const sizes = texts.map((text) => this.#sizeOf(text));
    const same = texts.findIndex((text, index) => text !== this.#before[index]);
    const sum = (some: readonly number[]): number => some.reduce((total, size) => total + size, 0);
    const input = sum(sizes);
    this.totals.requests += 1;
    this.totals.sent += input;
    this.totals.cached += sum(sizes.slice(0, same === -1 ? texts.length : same));
    this.totals.largest = Math.max(this.totals.largest, input);
    this.#before = texts;
    return input;
  }

  #sizeOf(text: string): number {
    const cached = this.#known.get(text) ?? estimateTokenCount(text);
    this.#known.set(text, cached);
    return cached;
  }
}

function memoryLog(models: { model: Model; compactor?: Model }, context: ContextRules): ConversationLog {
  const file = { append: () => Promise.resolve(), sync: () => Promise.resolve(), close: () => Promise.resolve() };
  const frame = {
    ...{
      k: 'frame' as const,
      at: 0,
      owner: 'now',
      system: systemPrompt('executor', {}),
      first: 'Read the file, part by part.',
    },
    ...{ tools, ...models, thinking: false, maxOutput: models.model.output, context },
  };
  return new ConversationLog({
    file,
    entries: [frame],
    owner: { refuseUnlessOurs: () => Promise.resolve() },
    now: Date.now,
  });
}
