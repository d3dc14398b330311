import * as z from 'zod';
import type { Usage } from '../types/agent.ts';
import type { ContextRules } from '../types/basic/compaction-rules.ts';
import type { CallEffect } from './effect.ts';
import { imageTypes, type ImageRef } from './image.ts';
import type { ReplyPart, ToolSchema } from './message.ts';
import { frameModelSchema } from './frame-model.ts';

/* Lines of the log of a conversation. Later versions read lines of earlier ones: add fields, never change them. */

const count = z.number().min(0);
const ref = z.object({ sha256: z.string(), bytes: count });
const note = z.record(z.string(), z.unknown()).exactOptional();
const at = { at: z.number() };

const replyPart: z.ZodType<ReplyPart> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), note }),
  z.object({ type: z.literal('thinking'), text: z.string(), note }),
  z.object({ type: z.literal('call'), id: z.string(), tool: z.string(), input: z.string(), note }),
]);

const hint = z.literal(true).exactOptional();

const toolSchema: z.ZodType<ToolSchema> = z.object({
  name: z.string(),
  description: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** The server that has the tool, and what it said of it then. */
  from: z
    .object({
      server: z.string(),
      tool: z.string(),
      hints: z.object({ readOnly: hint, destructive: hint, idempotent: hint, settles: hint }),
    })
    .exactOptional(),
});

const usage: z.ZodType<Usage> = z.object({ input: count, output: count, cached: count, reasoning: count });

const hash = z.string().nullable();
const git = z.object({
  changes: z.enum(['nothing', 'head', 'marks', 'more']),
  before: z.object({ head: hash, parent: hash, refs: z.string(), index: z.string() }).nullable(),
});

const effect: z.ZodType<CallEffect> = z.object({
  action: z.string(),
  files: z.array(z.object({ path: z.string(), before: hash, after: hash })),
  command: z.object({ at: z.number(), git: git.exactOptional() }).exactOptional(),
  remote: z
    .object({
      server: z.string(),
      key: z.string(),
      writes: z.literal(true).exactOptional(),
      destructive: z.literal(true).exactOptional(),
      args: z.record(z.string(), z.unknown()).exactOptional(),
    })
    .exactOptional(),
});

const image: z.ZodType<ImageRef> = ref.extend({ type: z.enum(imageTypes), width: count, height: count });

/** The result of a call. `call` is its id, `<turn>.<index>`, both from 1; only kinds `reads` and `mutates` have run a tool. */
const answer = z.object({
  call: z.string(),
  id: z.string(),
  tool: z.string(),
  kind: z.enum(['reads', 'mutates', 'loop', 'invalid']),
  text: z.string(),
  isError: z.boolean(),
  /** The whole text, when it was too long for the model. */
  whole: ref.exactOptional(),
  /** The image that the model was shown. */
  image: image.exactOptional(),
  /** The text of a person, with which the result begins. */
  person: z.string().exactOptional(),
});

/**
 * A remark to the model besides results. `format` and `report` are reminders, which are counted; `steering` is an instruction of a person,
 * with its number in the task.
 */
const remark = z.object({
  kind: z.enum(['format', 'report', 'repeats', 'todos', 'steering']),
  text: z.string(),
  id: count.exactOptional(),
});

const contextRules: z.ZodType<ContextRules> = z.object({
  mode: z.enum(['tiered', 'off']),
  soft: z.number(),
  hard: z.number(),
  target: z.number(),
  floor: z.number(),
  gain: z.number(),
  pause: z.number(),
  summaries: z.number(),
});

/** By stage: the last turn that it holds for. */
const compactedUpTo = z.object({ arguments: count, outputs: count, narrative: count, merged: count });

/** The name of the model that was asked for a summary, when it is not the model of the conversation. */
const compactor = z.string().exactOptional();

export const entrySchema = z.discriminatedUnion('k', [
  /** The first line, written once: everything that stays the same in this attempt, whatever is deployed meanwhile. */
  z.object({
    k: z.literal('frame'),
    ...at,
    /** The key of the owner: a log with another one is not continued. */
    owner: z.string(),
    system: z.string(),
    /** The first message: the subtask and the state of the task. */
    first: z.string(),
    tools: z.array(toolSchema),
    model: frameModelSchema,
    thinking: z.boolean(),
    maxOutput: count,
    /** The number of the newest instruction of a person that the first message contains. */
    steered: count.exactOptional(),
    context: contextRules.exactOptional(),
    /** The model that summarises merged turns; without one they are listed. */
    compactor: frameModelSchema.exactOptional(),
    /** The system text of the compactor. */
    compactorSystem: z.string().exactOptional(),
  }),
  /** An execution begins. */
  z.object({ k: z.literal('segment'), ...at, run: z.string() }),
  /** A request is sent. If no line reports its end, it is charged at its reserve. */
  z.object({ k: z.literal('call'), ...at, n: count, tokens: count, costUsd: count, compactor }),
  /** A request got no reply. */
  z.object({ k: z.literal('failed'), ...at, n: count, type: z.string(), charged: z.boolean(), compactor }),
  /** The conversation is sent shorter from here on: which turns, and how. This log keeps the full text. */
  z.object({
    k: z.literal('fold'),
    ...at,
    /** Turns so far. */
    n: count,
    why: z.enum(['pressure', 'overflow']),
    upTo: compactedUpTo,
    /** The text in place of the merged turns. */
    text: z.string(),
    /** The summary of a model, the last turn that it covers, and its cost. */
    by: z
      .object({ model: z.string(), upTo: count, text: z.string(), usage, costUsd: count, took: count })
      .exactOptional(),
    /** Tokens of the next request, before and after. */
    tokens: z.object({ before: count, after: count }),
    /** Tokens by the provider's count for each estimated token. */
    scale: z.number(),
    /** The request that the provider refused as too large. */
    refused: z.object({ input: count, output: count }).exactOptional(),
  }),
  /** A complete reply, with all that is new before it: results without a line of their own, in order, and remarks. */
  z.object({
    k: z.literal('turn'),
    ...at,
    n: count,
    heard: z.object({ answers: z.array(answer), remarks: z.array(remark) }),
    parts: z.array(replyPart),
    finish: z.enum(['stop', 'calls', 'length', 'refusal', 'other']),
    usage,
    costUsd: count,
    took: count,
  }),
  /** An effect begins; `again` is set after a person said that it had not happened. */
  z.object({
    k: z.literal('claim'),
    ...at,
    call: z.string(),
    tool: z.string(),
    effect,
    again: z.literal(true).exactOptional(),
  }),
  /** A call that a gate asks about may run, by a person's answer or by a standing rule. The next claim uses it up. */
  z.object({
    k: z.literal('permit'),
    ...at,
    call: z.string(),
    /** The hash of the permitted action. */
    hash: z.string(),
    by: z.enum(['approve', 'edit', 'rule']),
    /** The arguments as a person changed them, as JSON. */
    input: z.string().exactOptional(),
    who: z.string().exactOptional(),
    /** The signature of the rule. */
    signature: z.string().exactOptional(),
  }),
  z.object({ k: z.literal('result'), ...at, ...answer.shape }),
  /** An execution ended in an orderly way. */
  z.object({ k: z.literal('stop'), ...at, why: z.string() }),
]);

export type LogEntry = z.infer<typeof entrySchema>;
export type LogEntryOf<K extends LogEntry['k']> = Extract<LogEntry, { k: K }>;
export type LoggedResult = z.infer<typeof answer>;
export type Remark = z.infer<typeof remark>;
export type CompactedUpTo = LogEntryOf<'fold'>['upTo'];
export type TurnInput = LogEntryOf<'turn'>['heard'];
