import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { AgentEnd } from '../../../activities/agent/agent-end.ts';
import type { ConversationOwner } from '../../../activities/agent/conversation-owner.ts';
import { openLogFile, type LogFile } from '../../../activities/agent/log-file.ts';
import { resumeConversation } from '../../../activities/agent/resume-conversation.ts';
import { runAgent } from '../../../activities/agent/run-agent.ts';
import type { ModelRequest, Models } from '../../../activities/llm/ports/model.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { ToolRegistry } from '../../../activities/tools/common/tool-registry.ts';
import type { Tool } from '../../../activities/tools/common/tool.ts';
import type { Decided, Grant, PersonReply, TaskNews } from '../../../domain/types/agent.ts';
import type { ResourceUsage } from '../../../domain/types/outcome.ts';
import { placeAt } from '../../support/tool-place.ts';
import { model } from './support.ts';
import { localTools } from './support-tools.ts';

/** The process is gone: nothing after this point happens. */
export class Cut extends Error {}

/** Counts the moments at which a process may die, and dies at one of them. */
export class Cutter {
  moments = 0;
  readonly #at: number;

  constructor(at = Infinity) {
    this.#at = at;
  }

  pass(): void {
    this.moments += 1;
    if (this.moments === this.#at) throw new Cut(`at moment ${this.#at}`);
    if (this.moments > this.#at) throw new Cut('long dead');
  }

  get isDead(): boolean {
    return this.moments >= this.#at;
  }
}

/** Half of a line may be what is left of it. */
function cutFile(file: LogFile, cutter: Cutter): LogFile {
  return {
    append: async (text) => {
      cutter.pass();
      try {
        cutter.pass();
      } catch (error) {
        await file.append(text.slice(0, text.length / 2));
        throw error;
      }
      await file.append(text);
      cutter.pass();
    },
    sync: async () => {
      await file.sync();
      cutter.pass();
    },
    close: () => file.close(),
  };
}

function cutTool(tool: Tool, cutter: Cutter, performed: string[]): Tool {
  if (tool.kind !== 'mutates') return tool;
  return {
    ...tool,
    perform: async (args, effect, place) => {
      cutter.pass();
      const outcome = await tool.perform(args, effect, place);
      performed.push(effect.action);
      cutter.pass();
      return outcome;
    },
    // A dead process looks nothing up either.
    settle: async (effect, place) => {
      cutter.pass();
      return tool.settle(effect, place);
    },
  };
}

function cutModels(models: Models, cutter: Cutter): Models {
  return {
    call: async (request: ModelRequest) => {
      cutter.pass();
      const reply = await models.call(request);
      cutter.pass();
      return reply;
    },
  };
}

export interface Led {
  end: AgentEnd | 'cut';
  used: Required<Omit<ResourceUsage, 'costUnknown'>>;
}

export interface LeadOptions {
  folder: string;
  models: Models;
  performed: string[];
  cutter?: Cutter;
  /** The tools that the frame of a new conversation names. */
  tools?: readonly Tool[];
  /** The registry of the worker; by default it has just these tools. */
  registry?: ToolRegistry;
  resume?: PersonReply | null;
  /** Signatures that people allowed for good. */
  allowed?: string[];
  /** Limits of the whole attempt. */
  ceiling?: Grant;
  /** The task's answer to an agent that knows its instructions up to a number; nothing is new by default. */
  news?: (since: number) => TaskNews;
  refuseUnlessOurs?: () => Promise<void>;
  run?: string;
}

/** One execution of the loop on a real log, in a process that may die at any moment. */
export async function lead(options: LeadOptions): Promise<Led> {
  const { folder, performed, cutter = new Cutter(), tools = localTools } = options;
  const ownTools = new ToolRegistry(tools.map((tool) => cutTool(tool, cutter, performed)));
  const registry = options.registry ?? ownTools;
  const owner: ConversationOwner = {
    key: 't0',
    run: options.run ?? 'r1',
    log: join(folder, 'log.jsonl'),
    asker: { task: 't', role: 'executor', subtask: 's', attempt: 1 },
    openOutput: () => Promise.resolve(join(folder, 'output.log')),
    refuseUnlessOurs: options.refuseUnlessOurs ?? (() => Promise.resolve()),
    readNews: (since) => Promise.resolve(options.news?.(since) ?? { paused: false, steering: [] }),
    redact: (text) => text,
  };
  const log = await resumeConversation({
    owner,
    openFile: async (path) => cutFile(await openLogFile(path), cutter),
    begin: () =>
      Promise.resolve({
        system: 'system',
        first: 'do it',
        tools: ownTools.schemas(tools.map(({ name }) => name)),
        model,
        thinking: false,
        maxOutput: 1_000,
      }),
  }).catch((error: unknown) => {
    if (error instanceof Cut) return undefined;
    throw error;
  });
  if (log === undefined)
    return { end: 'cut', used: { costUsd: 0, tokens: 0, modelCalls: 0, toolCalls: 0, mutations: 0 } };
  const place = placeAt(folder);
  try {
    const end = await runAgent({
      log,
      models: cutModels(options.models, cutter),
      registry,
      store: new FileStore(join(folder, 'store')),
      context: { ...place, gates: { ...place.gates, allowed: options.allowed ?? [] } },
      owner,
      signal: new AbortController().signal,
      iterations: 20,
      timeout: 60_000,
      ceiling: options.ceiling ?? {},
      resume: options.resume ?? null,
      onTurn: () => undefined,
      onAnswer: () => undefined,
      onRefusal: () => undefined,
      onPermit: () => undefined,
      onCompaction: () => undefined,
    });
    return { end: cutter.isDead ? 'cut' : end, used: log.conversation.spending.used };
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    return { end: 'cut', used: log.conversation.spending.used };
  } finally {
    await log.close();
  }
}

export const put = (folder: string, name: string, content: string): Promise<void> =>
  writeFile(join(folder, name), content);

/** Leads until the gate asks, and says yes to it. */
export async function approved(given: Pick<LeadOptions, 'folder' | 'models' | 'tools'>): Promise<Decided> {
  const { end } = await lead({ ...given, performed: [], run: 'r0' });
  if (end === 'cut' || end.kind !== 'asks' || end.asks.kind !== 'gate') throw new Error(JSON.stringify(end));
  return { kind: 'decided', call: '1.1', hash: end.asks.hash, option: 'approve', by: 'ana' };
}
