import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AskingTask, askingPlan } from '../asking-task.ts';
import { type BareDecisionsInput, bareUpdate } from '../bare-messages.ts';
import { taskQueue } from '../names.ts';
import { bareInput } from '../plans.ts';
import type { Rig } from '../rig.ts';
import { preciseNow, Witness } from '../witness.ts';

/** Beside the bare workflow one that says in a search attribute that it waits: without it, nobody finds what waits for people. */
export const askers = ['bare', 'findable', 'heddle'] as const;
export type Asker = (typeof askers)[number];

export interface Reaction {
  side: Asker;
  answered: number;
  reacted: number;
}

const patience = 60_000;
/** The work of server and worker after an attempt must not be charged to the next answer. */
const settle = 100;
/** Answers of each that are not counted: the first ones of a process pay for its compiler. */
export const uncounted = 20;

/** From a decision to its receipt and to the start of the next program, for all in turn; who goes first changes each time. */
export async function measureReaction(rig: Rig, counted: number): Promise<Reaction[]> {
  const times = uncounted + counted;
  const reactions: Reaction[] = [];
  const heddle = await AskingTask.start(rig, 'reaction');
  const bare = await BareAsking.start(rig, { id: 'bare-reaction', times, findable: false });
  const findable = await BareAsking.start(rig, { id: 'findable-reaction', times, findable: true });
  const sides = { heddle, bare, findable };
  await heddle.question();
  for (let n = 0; n < times; n += 1) {
    for (const side of n % 2 === 0 ? askers : [...askers].reverse()) {
      await sleep(settle);
      const reaction = { side, ...(await sides[side].answer()) };
      if (n >= uncounted) reactions.push(reaction);
      await sides[side].question();
    }
  }
  await heddle.stop();
  for (const { workflowId } of [bare, findable]) await rig.temporal.workflow.getHandle(workflowId).result();
  return reactions;
}

/** The bare workflow that waits for an update before each attempt. */
class BareAsking {
  readonly workflowId: string;
  readonly #rig: Rig;
  readonly #witness: Witness;

  private constructor(rig: Rig, workflowId: string, witness: Witness) {
    this.workflowId = workflowId;
    this.#rig = rig;
    this.#witness = witness;
  }

  static async start(rig: Rig, about: { id: string; times: number; findable: boolean }): Promise<BareAsking> {
    const { id, times: count, findable } = about;
    const asking = new BareAsking(rig, id, new Witness(rig.place.workspace));
    const plan = askingPlan(rig.place.workspace, asking.#witness);
    const input: BareDecisionsInput = { ...(await bareInput(plan, 1, rig.place)), count, findable };
    await rig.temporal.workflow.start('bareDecisions', { workflowId: asking.workflowId, taskQueue, args: [input] });
    return asking;
  }

  /** Waits until the attempt has ended and the workflow waits again. */
  async question(): Promise<void> {
    const handle = this.#rig.temporal.workflow.getHandle(this.workflowId);
    for (;;) {
      const { raw } = await handle.describe();
      if ((raw.pendingActivities ?? []).length === 0 && !raw.pendingWorkflowTask) return;
      await sleep(20);
    }
  }

  async answer(): Promise<{ answered: number; reacted: number }> {
    const handle = this.#rig.temporal.workflow.getHandle(this.workflowId);
    const starts = this.#witness.starts;
    const sent = preciseNow();
    await handle.executeUpdate(bareUpdate, { updateId: randomUUID() });
    const answered = preciseNow() - sent;
    return { answered, reacted: (await this.#witness.started(starts + 1, patience)) - sent };
  }
}
