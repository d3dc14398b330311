import { isOfPerson } from '../../domain/conversation/conversation.ts';
import type { CallEffect } from '../../domain/conversation/effect.ts';
import type { LogEntryOf } from '../../domain/conversation/entry.ts';
import type { ToolCall } from '../../domain/conversation/turn.ts';
import { clip } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { performEffect, seeEffect, settleEffect, type Performed } from '../tools/run-tool.ts';
import type { MutatingTool, ToolOutcome, ToolContext } from '../tools/common/tool.ts';
import { findEdit, passGate, type ApprovalRequest, type GateParts } from './resolve-approval.ts';

/** Nobody can find out by looking: a person is asked. */
export interface UnknownEffect {
  unknown: CallEffect;
  /** Facts about it that can be observed. */
  evidence: string;
}

/** The result of an effect that was begun. */
type Done = ToolOutcome | UnknownEffect | 'aborted';

type Tool = MutatingTool<unknown>;

/**
 * One call that changes the world: found out, written ahead, done. A claim without a result, from a crash or a time limit, is looked up
 * in the world, and never simply done again.
 */
export async function runEffect(
  tool: Tool,
  args: unknown,
  { callId: call }: Pick<ToolCall, 'callId'>,
  given: GateParts,
): Promise<Done | ApprovalRequest> {
  const parts = { ...given, context: { ...given.context, call } };
  const claim = parts.log.conversation.last?.claims.get(call);
  const outcome = claim === undefined ? await begin(tool, args, call, parts) : await goOn(tool, args, claim, parts);
  const edit = findEdit(call, parts);
  return edit !== undefined && typeof outcome === 'object' && 'ok' in outcome ? withEdit(outcome, edit) : outcome;
}

/** The model sees its own arguments in the conversation, and must know that others were used. */
export function withEdit(outcome: ToolOutcome, edit: string): ToolOutcome {
  const person = `A person changed the arguments of this call to ${clip(edit, activityLimits.agent.answer / 2)}`;
  return { ...outcome, text: `${person}\n${outcome.text}`, person };
}

async function begin(tool: Tool, given: unknown, call: string, parts: GateParts): Promise<Done | ApprovalRequest> {
  const passed = await passGate(tool, given, call, parts);
  if (!('effect' in passed)) return passed;
  const { args, effect } = passed;
  await parts.log.append({ k: 'claim', call, tool: tool.name, effect });
  return perform(tool, { args, effect, call }, parts);
}

async function goOn(tool: Tool, given: unknown, claim: LogEntryOf<'claim'>, parts: GateParts): Promise<Done> {
  const { log, resume, registry } = parts;
  const { call, effect } = claim;
  const input = findEdit(call, parts);
  const read = input === undefined ? { kind: 'valid' as const, args: given } : registry.read(tool, input);
  const what = 'It was interrupted.';
  // They were valid when the effect was claimed.
  if (read.kind === 'invalid') return unclear(effect, { what }, read.text);
  const begun = { args: read.args, effect, call };
  // A person's word counts for what was claimed before it was given.
  if (resume?.kind === 'settled' && resume.call === call && claim.again === undefined) {
    if (resume.outcome === 'happened') return done(effect);
    await log.append({ k: 'claim', call, tool: tool.name, effect, again: true });
    return perform(tool, begun, parts);
  }
  const again = (): Promise<Done> => perform(tool, begun, parts);
  return lookUp(tool, begun, parts, { what, notDone: again, again });
}

/** An effect that is in the log. */
interface StartedEffect {
  args: unknown;
  effect: CallEffect;
  call: string;
}

async function perform(tool: Tool, begun: StartedEffect, parts: GateParts): Promise<Done> {
  const { log, context, watch } = parts;
  const { effect } = begun;
  await log.refuseUnlessOurs();
  const { remote } = effect;
  const mayWrite = effect.command?.git?.changes !== 'nothing' && (remote === undefined || remote.writes === true);
  const isCommand = effect.files.length === 0 && mayWrite;
  watch?.noteWrites(effect.files);
  if (isCommand) await watch?.beforeCommand();
  let performed: Performed;
  try {
    performed = await performEffect(tool, begun.args, effect, tool.interruptible ? context : uncut(context));
    if (isCommand) await watch?.afterCommand();
  } catch (error) {
    // The effect was cut off with its attempt: the next execution looks it up.
    if (context.signal.aborted) return 'aborted';
    throw error;
  }
  if (performed.kind === 'ended') return performed.outcome;
  const { why: what, whole } = performed;
  // Seen by the model at once, which decides itself whether to try again.
  const notDone = (): ToolOutcome => ({ ok: false, text: `${what} Nothing was changed.` });
  const again = (): ToolOutcome => ({
    ok: false,
    text: `${what} It is not known whether it took effect; it may be called again with the same arguments.`,
  });
  return lookUp(tool, begun, parts, { what, notDone, again, ...(whole === undefined ? {} : { whole }) });
}

/** Not cut off from outside: half an effect helps nobody, and its own limit is short. */
const uncut = (context: ToolContext): ToolContext => ({ ...context, signal: new AbortController().signal });

interface Unseen {
  /** Why nobody saw the end of it. */
  what: string;
  notDone: () => ToolOutcome | Promise<Done>;
  /** Nobody knows, and doing it twice does no harm. */
  again: () => ToolOutcome | Promise<Done>;
  /** All that it had printed by then. */
  whole?: string;
}

/** Looks up in the world whether an effect whose end nobody saw has happened. */
async function lookUp(
  tool: Tool,
  { effect, call }: StartedEffect,
  { log, context }: GateParts,
  unseen: Unseen,
): Promise<Done> {
  switch (await settleEffect(tool, effect, uncut(context))) {
    case 'done':
      return done(effect);
    case 'not-done':
      return unseen.notDone();
    case 'again':
      return unseen.again();
    case 'unclear': {
      const evidence = await seeEffect(tool, effect, uncut(context));
      // The model may look up an effect that nobody was asked about; an effect that a person allowed is that person's to settle.
      const isOwed = effect.remote?.destructive === true || isOfPerson(log.conversation.last?.permits.get(call));
      const isAsked = effect.files.length === 0 && isOwed;
      return isAsked ? { unknown: effect, evidence } : unclear(effect, unseen, evidence);
    }
  }
}

const listPaths = ({ files }: CallEffect): string[] => files.map(({ path }) => path);

const done = (effect: CallEffect): ToolOutcome => ({
  ok: true,
  text: `Done: ${effect.action}`,
  changed: listPaths(effect),
});

function unclear(effect: CallEffect, { what, whole }: Pick<Unseen, 'what' | 'whole'>, evidence: string): ToolOutcome {
  const text = `${what} It is not known whether it took effect (${effect.action}). ${evidence}`;
  return { ok: false, text, changed: listPaths(effect), ...(whole === undefined ? {} : { whole }) };
}
