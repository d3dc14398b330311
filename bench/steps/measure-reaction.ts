import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AskingTask, askingPlan } from '../asking-task.ts';
import { type BareDecisionsInput, bareUpdate } from '../bare-messages.ts';
import type { Side } from './measure-runs.ts';
import { taskQueue } from '../names.ts';
import { bareInput } from '../plans.ts';
import type { Rig } from '../rig.ts';
import { Witness } from '../witness.ts';

export interface Reaction {
  side: Side;
  answered: number;
  reacted: number;
}

const patience = 60_000;

/** From a decision to its receipt and to the start of the next program, for both sides in turn. */
export async function measureReaction(rig: Rig, times: number): Promise<Reaction[]> {
  const reactions: Reaction[] = [];
  const heddle = await AskingTask.start(rig, 'reaction');
  const bare = await BareAsking.start(rig, times);
  for (let n = 0; n < times; n += 1) {
    await heddle.question();
    reactions.push({ side: 'heddle', ...(await heddle.answer()) });
    reactions.push({ side: 'bare', ...(await bare.answer()) });
  }
  await heddle.stop();
  await rig.temporal.workflow.getHandle(bare.workflowId).result();
  return reactions;
}

/** The bare workflow that waits for an update before each attempt. */
class BareAsking {
  readonly workflowId = 'bare-reaction';
  readonly #rig: Rig;
  readonly #witness: Witness;

  private constructor(rig: Rig, witness: Witness) {
    this.#rig = rig;
    this.#witness = witness;
  }

  static async start(rig: Rig, count: number): Promise<BareAsking> {
    const asking = new BareAsking(rig, new Witness(rig.place.workspace));
    const plan = askingPlan(rig.place.workspace, asking.#witness);
    const input: BareDecisionsInput = { ...(await bareInput(plan, 1, rig.place)), count };
    await rig.temporal.workflow.start('bareDecisions', { workflowId: asking.workflowId, taskQueue, args: [input] });
    return asking;
  }

  async answer(): Promise<{ answered: number; reacted: number }> {
    const handle = this.#rig.temporal.workflow.getHandle(this.workflowId);
    while (((await handle.describe()).raw.pendingActivities ?? []).length > 0) await sleep(20);
    const starts = this.#witness.starts;
    const sent = Date.now();
    await handle.executeUpdate(bareUpdate, { updateId: randomUUID() });
    const answered = Date.now() - sent;
    return { answered, reacted: (await this.#witness.started(starts + 1, patience)) - sent };
  }
}
