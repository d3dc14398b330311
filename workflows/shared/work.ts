import { isCancellation } from '@temporalio/workflow';
import { Admission } from './admission.ts';
import { DirectScope } from './direct-scope.ts';

/**
 * Work that runs beside the main loop of a workflow: its scopes, and how much of it is running. Each piece says by itself when it has ended;
 * nothing waits for its promise, since the SDK takes a stack trace of every promise.
 */
export class Work {
  /** Cancelled when everything is stopped: by Temporal's cancellation or by a person's answer. */
  private readonly scope = new DirectScope();
  private readonly scopes = new Map<string, DirectScope>();
  private readonly admission = new Admission();
  private readonly settled = Promise.resolve();
  private readonly wake: () => void;
  /** Pieces that the end of the workflow waits for. */
  private running = 0;
  /** Pieces that only a new run waits for. */
  private runningBehind = 0;
  private fatal: Error | undefined;

  constructor(wake: () => void) {
    this.wake = wake;
  }

  get isRunning(): boolean {
    return this.running > 0;
  }

  get isRunningBehind(): boolean {
    return this.runningBehind > 0;
  }

  get fatalError(): Error | undefined {
    return this.fatal;
  }

  /** Starts several pieces in one scope, the dearest part of a start. `apart`: each gets a scope of its own, so that it can be stopped alone. */
  startAll(ids: readonly string[], piece: (id: string) => Promise<void>, { apart }: { apart: boolean }): void {
    this.running += ids.length;
    void this.scope.run(() => {
      for (const id of ids) void (apart ? this.startApart(id, piece) : piece(id));
      return this.settled;
    });
  }

  private async startApart(id: string, piece: (id: string) => Promise<void>): Promise<void> {
    const scope = new DirectScope();
    this.scopes.set(id, scope);
    await scope.run(() => piece(id));
    if (this.scopes.get(id) === scope) this.scopes.delete(id);
  }

  /** Starts one piece in the scope with this name. */
  start(name: string, piece: () => Promise<void>): void {
    this.running += 1;
    this.startIn(name, () => new DirectScope(), piece);
  }

  /** Starts one piece that nothing but a new run waits for; pieces of one name share a scope. */
  startBehind(name: string, piece: () => Promise<void>): void {
    this.runningBehind += 1;
    this.startIn(name, () => this.scopes.get(name) ?? new DirectScope(), piece);
  }

  private startIn(name: string, findScope: () => DirectScope, piece: () => Promise<void>): void {
    void this.scope.run(() => {
      // A scope that is made in here is stopped with all the others.
      const scope = findScope();
      this.scopes.set(name, scope);
      return scope.run(piece);
    });
  }

  /** Counts what a message handler does, so that no new run begins meanwhile. */
  began(): void {
    this.running += 1;
  }

  /** A piece has ended; whatever it changed wakes the loop. */
  ended(): void {
    this.running -= 1;
    this.wake();
  }

  endedBehind(): void {
    this.runningBehind -= 1;
    this.wake();
  }

  /** Stops what runs under this name, if anything does. */
  stop(name: string): void {
    this.scopes.get(name)?.cancel();
    this.scopes.delete(name);
  }

  stopAll(): void {
    this.scope.cancel();
  }

  /** A bug in one piece must end the workflow task, not vanish in a detached promise. */
  failWorkflowTask(error: unknown): void {
    if (isCancellation(error)) return;
    this.fatal = error instanceof Error ? error : new Error('a piece of work broke', { cause: error });
  }

  /** Waits until inputs of this size fit into the completion of a workflow task. Null: they fit now. */
  admit(bytes: number): Promise<void> | null {
    return this.admission.admit(bytes);
  }
}
