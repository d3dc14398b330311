import { isOfPerson } from '../../domain/conversation/conversation.ts';
import type { Effect } from '../../domain/conversation/effect.ts';
import type { EntryOf } from '../../domain/conversation/entry.ts';
import type { Call } from '../../domain/conversation/turn.ts';
import { clip, sayList } from '../../domain/text/text.ts';
import { activityLimits } from '../limits.ts';
import { performEffect, settleEffect } from '../tools/run-tool.ts';
import type { MutatingTool, ToolOutcome, ToolPlace } from '../tools/tool.ts';
import { editOf, passGate, type Asking, type GateParts } from './pass-gate.ts';

/** Nobody can find out by looking: a person is asked. */
export interface UnknownEffect {
  unknown: Effect;
}

type Tool = MutatingTool<unknown>;

/**
 * One call that changes the world: found out, written ahead, done. A claim without a result, from a crash or a time limit, is looked up
 * in the world, and never simply done again.
 */
export async function runEffect(
  tool: Tool,
  args: unknown,
  { place: call }: Pick<Call, 'place'>,
  parts: GateParts,
): Promise<ToolOutcome | UnknownEffect | Asking> {
  const claim = parts.log.conversation.last?.claims.get(call);
  const outcome = claim === undefined ? await begin(tool, args, call, parts) : await goOn(tool, args, claim, parts);
  const edit = editOf(call, parts);
  return edit !== undefined && 'ok' in outcome ? withEdit(outcome, edit) : outcome;
}

/** The model sees its own arguments in the conversation, and must know that others were used. */
function withEdit(outcome: ToolOutcome, edit: string): ToolOutcome {
  const said = clip(edit, activityLimits.agent.answer / 2);
  return { ...outcome, text: `A person changed the arguments of this call to ${said}\n${outcome.text}` };
}

async function begin(
  tool: Tool,
  given: unknown,
  call: string,
  parts: GateParts,
): Promise<ToolOutcome | UnknownEffect | Asking> {
  const passed = await passGate(tool, given, call, parts);
  if (!('effect' in passed)) return passed;
  const { args, effect } = passed;
  await parts.log.append({ k: 'claim', call, tool: tool.name, effect });
  return perform(tool, { args, effect, call }, parts);
}

async function goOn(
  tool: Tool,
  given: unknown,
  claim: EntryOf<'claim'>,
  parts: GateParts,
): Promise<ToolOutcome | UnknownEffect> {
  const { log, resume, toolbox } = parts;
  const { call, effect } = claim;
  const input = editOf(call, parts);
  const read = input === undefined ? { kind: 'valid' as const, args: given } : toolbox.read(tool, input);
  // They were valid when the effect was claimed.
  if (read.kind === 'invalid') return unclear(effect, 'It was interrupted.');
  const begun = { args: read.args, effect, call };
  // A person's word counts for what was claimed before it was given.
  if (resume?.kind === 'settled' && resume.call === call && claim.again === undefined) {
    if (resume.outcome === 'happened') return done(effect);
    await log.append({ k: 'claim', call, tool: tool.name, effect, again: true });
    return perform(tool, begun, parts);
  }
  return lookUp(tool, begun, parts, {
    what: 'It was interrupted.',
    notDone: () => perform(tool, begun, parts),
  });
}

/** An effect that is in the log. */
interface Begun {
  args: unknown;
  effect: Effect;
  call: string;
}

async function perform(tool: Tool, begun: Begun, parts: GateParts): Promise<ToolOutcome | UnknownEffect> {
  const { log, place } = parts;
  await log.refuseUnlessOurs();
  const performed = await performEffect(tool, begun.args, begun.effect, uncut(place));
  if (performed.kind === 'ended') return performed.outcome;
  const { why: what } = performed;
  // Seen by the model at once, which decides itself whether to try again.
  const notDone = (): ToolOutcome => ({ ok: false, text: `${what} Nothing was changed.` });
  return lookUp(tool, begun, parts, { what, notDone });
}

/** Not cut off from outside: half an effect helps nobody, and its own limit is short. */
const uncut = (place: ToolPlace): ToolPlace => ({ ...place, signal: new AbortController().signal });

/** What the world shows of an effect that nobody saw the end of. */
async function lookUp(
  tool: Tool,
  { effect, call }: Begun,
  { log, place }: GateParts,
  { what, notDone }: { what: string; notDone: () => ToolOutcome | Promise<ToolOutcome | UnknownEffect> },
): Promise<ToolOutcome | UnknownEffect> {
  switch (await settleEffect(tool, effect, uncut(place))) {
    case 'done':
      return done(effect);
    case 'not-done':
      return notDone();
    case 'unclear': {
      // What nobody was asked about may be looked at by the model; what a person allowed once is that person's to settle.
      const isAsked = effect.files.length === 0 && isOfPerson(log.conversation.last?.permits.get(call));
      return isAsked ? { unknown: effect } : unclear(effect, what);
    }
  }
}

const pathsOf = ({ files }: Effect): string[] => files.map(({ path }) => path);

const done = (effect: Effect): ToolOutcome => ({ ok: true, text: `Done: ${effect.action}`, changed: pathsOf(effect) });

function unclear(effect: Effect, what: string): ToolOutcome {
  const changed = pathsOf(effect);
  const where = changed.length === 0 ? 'what it should have changed' : sayList(changed);
  const text = `${what} It is not known whether it took effect (${effect.action}). Look at ${where} before you do anything about it.`;
  return { ok: false, text, changed };
}
