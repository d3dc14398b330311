import type * as z from 'zod';

import type { CallEffect } from '../../../domain/conversation/effect.ts';
import type { ImageSize } from '../../../domain/conversation/image.ts';
import type { GateFacts, GateRuling } from '../../../domain/types/basic/gate.ts';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { CommandPort } from '../../sandbox/command.ts';
import type { GuardOptions } from '../../web/guarded-agent.ts';
import type { GuardedFolders } from '../confine/guarded-folders.ts';

export type { CallEffect };

/** The workspace in which a tool works, with its ports. */
export interface ToolContext {
  /** Absolute, symlinks resolved. Only below it anything is written. */
  workspace: string;
  /** Folders outside of it that may be read. */
  readRoots: readonly string[];
  /** Folders that no tool on files changes, wherever they lie. */
  guarded: GuardedFolders;
  /** Deliverables that are to be edited in place, since an earlier attempt may have written them: no variant of their names is written. */
  fixedDeliverables: readonly string[];
  /** Runs commands. */
  commands: CommandPort;
  /** The whole of what the model was shown shortened, by its reference; undefined: there is no such thing. */
  readOriginal: (reference: string) => Promise<string | undefined>;
  /** Facts by which the gates decide whether a person is asked before something is done. */
  gates: GateFacts;
  /** The web, as far as rules and addresses allow. */
  web: WebAccess;
  /** Bytes from outside that the task keeps. */
  artifacts: Artifacts;
  signal: AbortSignal;
  /** The id of the call, `<turn>.<index>`, while one runs. */
  call?: string;
}

/** The way to the web. Name servers and connections are those of the machine where absent. */
export interface WebAccess extends Pick<GuardOptions, 'servers' | 'dial'> {
  /** Hosts with their ports that may be private. */
  internal: readonly string[];
  /** A folder for bodies that are not whole yet. */
  folder: string;
  /** Removes secrets: an address that holds one is not asked for. */
  redact: (text: string) => string;
}

/** The result of a call. `text` is for the model, bounded by the tool; the caller removes secrets. */
export interface ToolOutcome {
  ok: boolean;
  text: string;
  /** Paths in the workspace that it changed. */
  changed?: string[];
  /** Too long for the model: the whole, kept by reference; `text` says how to read on. */
  whole?: string;
  /** An image that it found: shown to a model that sees, else described by the text alone. */
  image?: ImageSize & { content: Uint8Array };
  /** Refused, not failed: a path outside, a variant of a deliverable's name. */
  refused?: string;
  /** The text of a person about this call: `text` begins with it. */
  person?: string;
}

/** The answer of the world to whether an effect took place. `again`: nobody knows, and it may be done again. */
export type Settled = 'done' | 'not-done' | 'unclear' | 'again';

/** Thrown by what was begun and ended in the middle: nobody knows how far it came. */
export class UnfinishedToolError extends Error {
  override readonly name = 'UnfinishedToolError';
  /** All that it had printed, where the message has only a part. */
  readonly whole: string | undefined;

  /** The message is for the model. */
  constructor(message: string, { whole, cause }: { whole?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.whole = whole;
  }
}

interface ToolBase<Args> {
  name: string;
  /** One or two sentences: the model pays for each word, at every call. */
  description: string;
  schema: z.ZodType<Args>;
  /** Milliseconds. */
  timeout: number;
}

/** It changes nothing: after a crash it is simply run again. */
export interface ReadingTool<Args> extends ToolBase<Args> {
  kind: 'reads';
  /** Rules on a call before it runs. Absent: every call may run. */
  assess?(args: Args, context: ToolContext): Promise<GateRuling | ToolOutcome>;
  run(args: Args, context: ToolContext): Promise<ToolOutcome>;
}

/** It changes the world: planned, judged, written ahead, performed, and looked up when nobody knows. */
export interface MutatingTool<Args> extends ToolBase<Args> {
  kind: 'mutates';
  /** Ends by itself, soon and in order, when it is told to: what may take minutes is cut off with its attempt, a change of a file is not. */
  interruptible: boolean;
  /** An outcome instead of an effect: it was refused or cannot be done, and nothing happened. */
  plan(args: Args, context: ToolContext): Promise<CallEffect | ToolOutcome>;
  /** Places besides the files of the effect to which its arguments lead now: an approval is bound to them. */
  places?(args: Args, context: ToolContext): readonly string[];
  /** Rules on the planned effect: only the paths of the effect are used later. */
  assess(args: Args, context: ToolContext, effect: CallEffect): Promise<GateRuling>;
  perform(args: Args, effect: CallEffect, context: ToolContext): Promise<ToolOutcome>;
  settle(effect: CallEffect, context: ToolContext): Promise<Settled>;
  /** Describes what can be seen of an effect whose end nobody saw, in sentences for the model. */
  evidence(effect: CallEffect, context: ToolContext): Promise<string>;
}

/** Played by the loop itself: it ends or suspends the attempt, or only keeps something. */
export interface LoopTool<Args> extends ToolBase<Args> {
  kind: 'loop';
}

export type Tool<Args = unknown> = ReadingTool<Args> | MutatingTool<Args> | LoopTool<Args>;
