import { isOfPerson } from '../../domain/conversation/conversation.ts';
import type { CallEffect } from '../../domain/conversation/effect.ts';
import type { LogEntryOf } from '../../domain/conversation/entry.ts';
import { boundArguments } from '../../domain/decisions/options/bound-arguments.ts';
import { joinReplyText } from '../../domain/conversation/turn.ts';
import { clip } from '../../domain/text/text.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Decided, GateAsk, PersonReply } from '../../domain/types/agent.ts';
import type { GateRuling } from '../../domain/types/basic/gate.ts';
import { failed, refusedBy } from '../tools/common/tool-result.ts';
import { assessEffect, assessReading, planEffect } from '../tools/run-tool.ts';
import type { Arguments } from '../tools/common/read-arguments.ts';
import type { ToolRegistry } from '../tools/common/tool-registry.ts';
import type { MutatingTool, ReadingTool, Tool, ToolOutcome, ToolContext } from '../tools/common/tool.ts';
import type { WriteWatch } from '../workspace/snapshots/write-watch.ts';
import { actionHash } from './action-hash.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { ConversationOwner } from './conversation-owner.ts';

export interface GateParts {
  log: ConversationLog;
  context: ToolContext;
  resume: PersonReply | null;
  registry: Pick<ToolRegistry, 'read'>;
  owner: Pick<ConversationOwner, 'redact'>;
  onPermit: (permit: Permit) => void;
  /** Hears of every write in the workspace. */
  watch?: WriteWatch;
}

/** Why a call may run that a gate asks about. */
export type Permit = Omit<LogEntryOf<'permit'>, 'at'>;

/** It may be done, with these arguments: a person may have changed them. */
export interface PermittedAction {
  args: unknown;
  effect: CallEffect;
}

/** A person has to be asked first. */
export interface ApprovalRequest {
  asks: GateAsk;
}

type Asks = Extract<GateRuling, { kind: 'ask' }>;

/** One action, as it would be done now. */
interface ProposedAction {
  tool: Tool;
  call: string;
  args: unknown;
  hash: string;
  /** Rules on it. */
  assess: (context: ToolContext) => Promise<GateRuling | ToolOutcome>;
}

/** The decision of a person about this call. */
export const decidedFor = (call: string, resume: PersonReply | null): Decided | undefined =>
  resume?.kind === 'decided' && resume.call === call ? resume : undefined;

/** The arguments that a person gave this call, as JSON, in this execution or an earlier one. */
export function findEdit(call: string, { log, resume }: Pick<GateParts, 'log' | 'resume'>): string | undefined {
  const decided = decidedFor(call, resume);
  if (decided?.option === 'edit') return JSON.stringify(decided.value);
  return log.conversation.last?.permits.get(call)?.input;
}

/**
 * Finds out what a call would do and whether it may. A person's leave is used up by a line in the log, before anything is done: the worker that takes over after a crash goes on with it, and where it would be another action by then, asks again.
 */
export async function passGate(
  tool: MutatingTool<unknown>,
  given: unknown,
  call: string,
  parts: GateParts,
): Promise<PermittedAction | ApprovalRequest | ToolOutcome> {
  const { context } = parts;
  const read = readEdited(tool, given, call, parts);
  if (read.kind === 'invalid') return failed(read.text);
  const { args } = read;
  const effect = await planEffect(tool, args, context);
  if ('ok' in effect) return effect;
  const paths = [...effect.files.map(({ path }) => path), ...(tool.places?.(args, context) ?? [])];
  const hash = actionHash({ tool: tool.name, arguments: args, paths, cwd: context.workspace });
  const assess = (at: ToolContext) => assessEffect(tool, { args, effect }, at);
  return (await pass({ tool, call, args, hash, assess }, parts)) ?? { args, effect };
}

/** The same for a call that only reads, such as a page of the web. */
export async function passReadGate(
  tool: ReadingTool<unknown>,
  given: unknown,
  call: string,
  parts: GateParts,
): Promise<Pick<PermittedAction, 'args'> | ApprovalRequest | ToolOutcome> {
  if (tool.assess === undefined) return { args: given };
  const read = readEdited(tool, given, call, parts);
  if (read.kind === 'invalid') return failed(read.text);
  const { args } = read;
  const hash = actionHash({ tool: tool.name, arguments: args, paths: [], cwd: parts.context.workspace });
  const assess = (at: ToolContext) => assessReading(tool, args, at);
  return (await pass({ tool, call, args, hash, assess }, parts)) ?? { args };
}

/** The arguments of a call, or those that a person gave it. */
function readEdited(tool: Tool, given: unknown, call: string, parts: GateParts): Arguments<unknown> {
  const input = findEdit(call, parts);
  return input === undefined ? { kind: 'valid', args: given } : parts.registry.read(tool, input);
}

/** Undefined where the action may be done now: a permit of it is in the log by then. */
async function pass(action: ProposedAction, parts: GateParts): Promise<ApprovalRequest | ToolOutcome | undefined> {
  const ruling = await action.assess(parts.context);
  if ('ok' in ruling) return ruling;
  if (ruling.kind === 'deny') return refusedBy(ruling.why);
  const permit = ruling.kind === 'allow' ? await permitUnasked(action, parts) : permitOfPerson(action, parts);
  if (permit === undefined && ruling.kind === 'ask') return { asks: askAbout(action, ruling, parts) };
  if (permit !== undefined) await writePermit(permit, parts);
  return undefined;
}

/** The approval that people gave this very action so far; undefined when nobody approved it. */
function permitOfPerson({ call, hash }: ProposedAction, parts: GateParts): Permit | undefined {
  const earlier = parts.log.conversation.last?.permits.get(call);
  // Said before a crash, and it would still do the same.
  if (earlier !== undefined && isOfPerson(earlier) && earlier.hash === hash) return earlier;
  const decided = decidedFor(call, parts.resume);
  const input = findEdit(call, parts);
  if (decided?.option === 'approve' && decided.hash === hash) return permitBy('approve', decided, hash, input);
  // Arguments that a person wrote need no second approval, unless they were let through before and would do something else now.
  const isNew = decided?.option === 'edit' && earlier?.input !== input;
  return isNew ? permitBy('edit', decided, hash, input) : undefined;
}

/** Allowed, but with arguments of a person's, or only because people said so for good: that is written down. */
async function permitUnasked(action: ProposedAction, parts: GateParts): Promise<Permit | undefined> {
  const { call, hash, assess } = action;
  const decided = decidedFor(call, parts.resume);
  if (decided?.option === 'edit') return permitBy('edit', decided, hash, findEdit(call, parts));
  const { context } = parts;
  if (context.gates.allowed.length === 0) return undefined;
  const strict = await assess({ ...context, gates: { ...context.gates, allowed: [] } });
  if ('ok' in strict || strict.kind !== 'ask' || strict.signature === null) return undefined;
  return { k: 'permit', call, hash, by: 'rule', signature: strict.signature };
}

const permitBy = (by: Permit['by'], { call, by: who }: Decided, hash: string, input: string | undefined): Permit => ({
  ...{ k: 'permit', call, hash, by },
  ...(input === undefined ? {} : { input }),
  ...(who === undefined ? {} : { who }),
});

/** Once: an execution that comes again after a crash finds it. */
async function writePermit(permit: Permit, { log, onPermit }: GateParts): Promise<void> {
  const earlier = log.conversation.last?.permits.get(permit.call);
  if (earlier?.hash === permit.hash && earlier.by === permit.by) return;
  await log.append(permit);
  onPermit(permit);
}

function askAbout(
  { tool, call, args, hash }: ProposedAction,
  { danger, why, signature }: Asks,
  { owner: { redact }, log, context }: GateParts,
): GateAsk {
  const json = JSON.stringify(args ?? null, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
  const shown = boundArguments(JSON.parse(json), limits.asked.arguments);
  const remark = clip(redact(joinReplyText(log.conversation.last?.parts ?? [])).trim(), limits.asked.said);
  return {
    ...{ kind: 'gate', call, tool: tool.name, why: redact(why), hash, danger, signature, ...shown },
    ...(remark === '' ? {} : { said: remark }),
    ...(context.commands.sandboxed ? { sandboxed: true } : {}),
  };
}
