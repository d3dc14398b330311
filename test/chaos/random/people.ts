import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeddleError, type Decision, type StatusView, type TaskHandle } from '../../../client/index.ts';
import type { Chance } from './chance.ts';
import type { Machine } from './machine.ts';

/** A message and what its sender knows of it. `unsure`: nobody answered, so it may have been taken or not. */
export interface Sent {
  kind: 'decide' | 'steer';
  /** Its sender, whose name is in no other message. */
  by: string;
  decisionId?: string;
  option?: string;
  text?: string;
  fate: 'taken' | 'refused' | 'unsure';
}

/** Server or worker are away: said by the client in one of these words. */
const away: ReadonlySet<string> = new Set(['NO_WORKER', 'TEMPORAL_UNREACHABLE', 'TEMPORAL_REFUSED']);
/** Refusals that chance may run into: somebody or something else was faster, or there is no room. */
const refusals: ReadonlySet<string> = new Set([
  'TASK_ENDED',
  'DECISION_ALREADY_ANSWERED',
  'DECISION_NOT_FOUND',
  'STEERING_FULL',
]);

/** People who look at the task now and then, answer, steer, pause and resume, and may stop it. */
export class People {
  readonly sent: Sent[] = [];
  /** When somebody was told that the task is cancelled; `unsure` when nobody answered. */
  cancelled: number | 'no' | 'unsure' = 'no';
  /** Once nothing is disturbed any more they answer at once and let the task run. */
  hurry = false;
  readonly #task: TaskHandle;
  readonly #machine: Machine;
  readonly #chance: Chance;
  readonly #mayAbort: boolean;

  constructor(parts: { task: TaskHandle; machine: Machine; chance: Chance; mayAbort: boolean }) {
    this.#task = parts.task;
    this.#machine = parts.machine;
    this.#chance = parts.chance;
    this.#mayAbort = parts.mayAbort;
  }

  /** Until the server says that the task has ended; fails when it does not. */
  async untilEnd(deadline: () => number): Promise<void> {
    let last: StatusView | undefined;
    while (Date.now() < deadline()) {
      const status = await this.#look();
      if (status !== undefined) last = status;
      if (status !== undefined && ['completed', 'failed', 'cancelled'].includes(status.state)) return;
      if (status !== undefined) await this.#act(status);
      await sleep(this.hurry ? 200 : this.#chance.between(100, 1_200));
    }
    throw new Error(`the task does not end: ${JSON.stringify(last)}`);
  }

  async cancel(): Promise<void> {
    this.#machine.note('cancel');
    const fate = await this.#tell(this.#task.cancel());
    this.cancelled = fate === 'taken' ? Date.now() : fate === 'refused' ? 'no' : 'unsure';
  }

  async steer(): Promise<void> {
    const sent: Sent = { kind: 'steer', by: '', text: `instruction ${this.sent.length + 1}`, fate: 'unsure' };
    this.sent.push(sent);
    const signal = this.#chance.once(4);
    const fate = await this.#tell(this.#task.steer({ text: sent.text ?? '' }, { signal }));
    sent.fate = signal && fate === 'taken' ? 'unsure' : fate;
  }

  async pause(): Promise<void> {
    this.#machine.note('pause');
    await this.#tell(this.#task.pause({ reason: 'chance' }));
  }

  async #look(): Promise<StatusView | undefined> {
    try {
      return await this.#task.status();
    } catch (error) {
      this.#expectAway(error);
      return undefined;
    }
  }

  async #act({ state, decisions }: StatusView): Promise<void> {
    if (state === 'paused' && (this.hurry || this.#chance.once(4))) {
      this.#machine.note('resume');
      await this.#tell(this.#task.resume());
    }
    for (const decision of decisions) if (this.hurry || this.#chance.once(4)) await this.#answer(decision);
  }

  async #answer(decision: Decision): Promise<void> {
    const option = this.#choose(decision);
    const by = `person ${this.sent.length + 1}`;
    const sent: Sent = { kind: 'decide', by, decisionId: decision.id, option, fate: 'unsure' };
    this.sent.push(sent);
    const answer = {
      decisionId: decision.id,
      option,
      by,
      ...(option === 'fix' ? { instruction: 'mind the gear' } : {}),
      ...(this.#chance.once(12) && option !== 'abort' ? { scope: 'signature' as const } : {}),
    };
    const updateId = randomUUID();
    this.#machine.note(`${by} answers ${decision.id} with ${option}`);
    sent.fate = await this.#tell(this.#task.decide(answer, { updateId }));
    // The same message again is the same answer.
    if (sent.fate === 'unsure' || this.#chance.once(5)) {
      const again = await this.#tell(this.#task.decide(answer, { updateId }));
      if (sent.fate === 'taken' && again === 'refused')
        throw new Error(`${decision.id} was refused to who answered it`);
      if (again !== 'unsure') sent.fate = again;
    }
  }

  #choose({ options }: Decision): string {
    const weights: Record<string, number> = { retry: 6, fix: 3, simpler: 1, 'provide-credentials': 2, skip: 1 };
    if (!this.hurry) weights['skip-branch'] = 0.7;
    if (this.#mayAbort) weights['abort'] = 0.4;
    const offered = options.map(({ id }): string => id).filter((id) => weights[id] !== undefined);
    return this.#chance.pick(Object.fromEntries(offered.map((id) => [id, weights[id] ?? 0])));
  }

  async #tell(message: Promise<unknown>): Promise<Sent['fate']> {
    try {
      await message;
      return 'taken';
    } catch (error) {
      if (error instanceof HeddleError && refusals.has(error.code)) return 'refused';
      this.#expectAway(error);
      return 'unsure';
    }
  }

  #expectAway(error: unknown): void {
    if (error instanceof HeddleError && away.has(error.code)) return;
    throw error;
  }
}
