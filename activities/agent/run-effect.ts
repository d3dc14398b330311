import type { Call } from '../../domain/conversation/turn.ts';
import type { Resume } from '../../domain/model/agent.ts';
import type { Effect } from '../../domain/conversation/effect.ts';
import { sayList } from '../../domain/text/text.ts';
import { performEffect, planEffect, settleEffect } from '../tools/run-tool.ts';
import type { MutatingTool, ToolOutcome, ToolPlace } from '../tools/tool.ts';
import type { ConversationLog } from './conversation-log.ts';

/** Nobody can find out by looking: a person is asked. */
export interface UnknownEffect {
  unknown: Effect;
}

export interface EffectParts {
  log: ConversationLog;
  place: ToolPlace;
  resume: Resume | null;
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
  parts: EffectParts,
): Promise<ToolOutcome | UnknownEffect> {
  const { log, place, resume } = parts;
  const claim = log.conversation.last?.claims.get(call);
  if (claim === undefined) {
    const effect = await planEffect(tool, args, place);
    if ('ok' in effect) return effect;
    await log.append({ k: 'claim', call, tool: tool.name, effect });
    return perform(tool, args, effect, parts);
  }
  const { effect } = claim;
  // A person's word counts for what was claimed before it was given.
  if (resume?.kind === 'settled' && resume.call === call && claim.again === undefined) {
    if (resume.outcome === 'happened') return done(effect);
    await log.append({ k: 'claim', call, tool: tool.name, effect, again: true });
    return perform(tool, args, effect, parts);
  }
  return lookUp(tool, effect, place, {
    what: 'It was interrupted.',
    notDone: () => perform(tool, args, effect, parts),
  });
}

async function perform(
  tool: Tool,
  args: unknown,
  effect: Effect,
  { log, place }: EffectParts,
): Promise<ToolOutcome | UnknownEffect> {
  await log.refuseUnlessOurs();
  const performed = await performEffect(tool, args, effect, uncut(place));
  if (performed.kind === 'ended') return performed.outcome;
  const { why: what } = performed;
  // Seen by the model at once, which decides itself whether to try again.
  const notDone = (): ToolOutcome => ({ ok: false, text: `${what} Nothing was changed.` });
  return lookUp(tool, effect, place, { what, notDone });
}

/** Not cut off from outside: half an effect helps nobody, and its own limit is short. */
const uncut = (place: ToolPlace): ToolPlace => ({ ...place, signal: new AbortController().signal });

/** What the world shows of an effect that nobody saw the end of. */
async function lookUp(
  tool: Tool,
  effect: Effect,
  place: ToolPlace,
  { what, notDone }: { what: string; notDone: () => ToolOutcome | Promise<ToolOutcome | UnknownEffect> },
): Promise<ToolOutcome | UnknownEffect> {
  switch (await settleEffect(tool, effect, uncut(place))) {
    case 'done':
      return done(effect);
    case 'not-done':
      return notDone();
    case 'unclear':
      return effect.files.length === 0 ? { unknown: effect } : unclear(effect, what);
  }
}

const pathsOf = ({ files }: Effect): string[] => files.map(({ path }) => path);

const done = (effect: Effect): ToolOutcome => ({ ok: true, text: `Done: ${effect.action}`, changed: pathsOf(effect) });

function unclear(effect: Effect, what: string): ToolOutcome {
  const changed = pathsOf(effect);
  const text = `${what} It is not known whether it took effect (${effect.action}). Look at ${sayList(changed)} before you do anything about it.`;
  return { ok: false, text, changed };
}
