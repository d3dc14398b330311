import type { ScriptReply } from '../../../activities/llm/scripted/script.ts';
import { calls, finishes, serveScript, type ScriptedModels } from '../scripted-models.ts';

/** A service whose agent takes so many turns, one of which is answered when the test says so. */
export interface HeldReplies extends ScriptedModels {
  /** Lets the held turn be answered, and all after it. */
  release(): void;
}

export async function holdReplyAt(held: number, turns: number): Promise<HeldReplies> {
  const gate = Promise.withResolvers<null>();
  const service = await serveScript(async ({ text }): Promise<ScriptReply> => {
    // By what the conversation holds: a request may come again after a crash.
    const turn = text.split('step ').length;
    if (turn === held) await gate.promise;
    return turn < turns ? calls(['narrate', { text: `step ${turn}` }]) : finishes('took all steps');
  });
  return { ...service, release: () => gate.resolve(null) };
}
