import { condition, currentUpdateInfo } from '@temporalio/workflow';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { decodeRaw } from './raw-message.ts';
import { refuse, refusing } from './refuse.ts';

/** A message: a check that throws what a person should read, and what it does once it is taken. */
export interface Message<Payload, Result> {
  check(payload: unknown): Payload;
  take(payload: Payload): Result;
  /** In place of `take`, where an activity must look at it first; undefined: none must. */
  takeLater?(payload: Payload): Promise<Result> | undefined;
  /** The result of the same update when it was taken before, maybe in an earlier run. */
  again(payload: unknown): Result | undefined;
}

/** Takes the messages of a workflow: each once, and none before its state is there. */
export class Inbox {
  /** False while the state of the run before is read from the store: until then a message has to wait. */
  ready: boolean;
  /** Ids of updates that were taken: the server forgets them at continue-as-new, and an update that is sent again must not act twice. */
  readonly updateIds: string[] = [];
  /** Messages that this run has taken: the server bounds them. */
  count = 0;
  private readonly noteRefusal: (name: string, reason: string) => void;

  constructor({ ready, noteRefusal }: { ready: boolean; noteRefusal: (name: string, reason: string) => void }) {
    this.ready = ready;
    this.noteRefusal = noteRefusal;
  }

  /** True when the update that is being handled was taken before. */
  hasTaken(): boolean {
    return this.updateIds.includes(currentUpdateInfo()?.id ?? '');
  }

  async take<Payload, Result>(message: Message<Payload, Result>, payload: unknown): Promise<Result> {
    this.count += 1;
    if (!this.ready) await condition(() => this.ready);
    const first = message.again(payload);
    if (first !== undefined) return first;
    const checked = refusing(() => message.check(payload));
    const later = message.takeLater?.(checked);
    const result = later === undefined ? message.take(checked) : await later.catch(refuse);
    const id = currentUpdateInfo()?.id;
    if (id !== undefined) this.updateIds.push(id);
    return result;
  }

  /**
   * Synchronous by necessity: the SDK ignores what a validator returns. Before the state is there nothing can be checked: then the
   * message is taken in, and refused later if need be.
   */
  validate<Payload, Result>(message: Message<Payload, Result>, payload: unknown): void {
    if (!this.ready || message.again(payload) !== undefined) return;
    refusing(() => message.check(payload));
  }

  /** A signal cannot be refused, so its refusal is written down where people look. */
  async takeSignal<Payload, Result>(name: string, message: Message<Payload, Result>, argument: unknown): Promise<void> {
    this.count += 1;
    if (!this.ready) await condition(() => this.ready);
    try {
      const checked = message.check(decodeRaw(argument));
      const later = message.takeLater?.(checked);
      if (later === undefined) message.take(checked);
      else await later;
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error;
      this.noteRefusal(name, `${error.message} (${error.code})`);
    }
  }
}
