import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeddleError, type PlanInput, type TaskHandle } from '../client/index.ts';
import type { Rig } from './rig.ts';
import { preciseNow, Witness } from './witness.ts';

/** No answer for this long means that something is broken, not slow. */
const patience = 60_000;
const lookAgain = 20;
/** The answers of a server or worker that is not back yet. */
const notBack: readonly string[] = ['TEMPORAL_UNREACHABLE', 'NO_WORKER'];

/** One subtask that needs a person after every attempt. */
export function askingPlan(workspace: string, witness: Witness): PlanInput {
  return {
    goal: 'bench: answer questions',
    workspace,
    escalationPause: 1_000,
    subtasks: [{ id: 's1', description: 'ask', executor: { kind: 'command', run: witness.run } }],
  };
}

/** A task of one subtask that asks a person after every attempt, as often as one likes. */
export class AskingTask {
  readonly #task: TaskHandle;
  readonly #witness: Witness;
  #asked = 0;

  private constructor(task: TaskHandle, witness: Witness) {
    this.#task = task;
    this.#witness = witness;
  }

  static async start(rig: Rig, id: string): Promise<AskingTask> {
    const witness = new Witness(rig.place.workspace);
    const plan = askingPlan(rig.place.workspace, witness);
    return new AskingTask(await rig.client.start(plan, { id }), witness);
  }

  /** Waits until the next question is open. */
  async question(): Promise<void> {
    this.#asked += 1;
    const deadline = Date.now() + patience;
    for (;;) {
      const decisions = await this.#task.status().then(
        (status) => status.decisions,
        (error: unknown) => refuseUnlessNotBack(error),
      );
      if (decisions.some(({ id }) => id === this.#decision)) return;
      if (Date.now() > deadline) throw new Error(`${this.#decision} was not asked within ${patience} ms`);
      await sleep(lookAgain);
    }
  }

  /** Answers it; milliseconds to the answer's receipt and to the start of the next attempt's program. */
  async answer(): Promise<{ answered: number; reacted: number }> {
    const starts = this.#witness.starts;
    const updateId = randomUUID();
    const deadline = Date.now() + patience;
    const sent = preciseNow();
    const answer = { decisionId: this.#decision, option: 'retry' };
    while ((await this.#task.decide(answer, { updateId }).catch(refuseUnlessNotBack)) instanceof Array) {
      if (Date.now() > deadline) throw new Error(`${this.#decision} was not answered within ${patience} ms`);
      await sleep(lookAgain);
    }
    const answered = preciseNow() - sent;
    return { answered, reacted: (await this.#witness.started(starts + 1, patience)) - sent };
  }

  /** By the question that is open. */
  async stop(): Promise<void> {
    await this.#task.decide({ decisionId: this.#decision, option: 'abort' });
    await this.#task.result().catch(() => undefined);
  }

  get #decision(): string {
    return `s1-${this.#asked}`;
  }
}

/** An empty list where there is no answer yet. */
function refuseUnlessNotBack(error: unknown): [] {
  if (error instanceof HeddleError && notBack.includes(error.code)) return [];
  throw error;
}
