import { handedOver } from './live-execution.ts';
import type { LiveExecution, ActivityTry } from './live-execution.ts';

/** All attempts that this process runs, by the path of their record. */
export class LiveExecutions<T> {
  readonly #runs = new Map<string, LiveExecution<T>>();
  #cleansUp = false;

  /** Joins the run of this attempt, or starts it: for one path there is never more than one. */
  async joinOrStart(
    path: string,
    startedAt: string,
    { start, call }: { start: () => LiveExecution<T>; call: ActivityTry },
  ): Promise<T> {
    for (;;) {
      const liveRun = this.#runs.get(path);
      if (liveRun !== undefined && liveRun.startedAt !== startedAt) {
        // It belongs to an attempt from before a reset of the workflow: nobody wants its result.
        liveRun.stop('handed-over');
        await liveRun.outcome.catch(() => undefined);
        continue;
      }
      const result = await (liveRun ?? this.#start(path, start)).join(call);
      if (result !== handedOver) return result;
      // It ended under us because another try was stopped: then it is ours to start again.
      if (call.context.cancellationSignal.aborted) return await call.context.cancelled;
    }
  }

  #start(path: string, start: () => LiveExecution<T>): LiveExecution<T> {
    this.#cleanUpAtExit();
    const run = start();
    this.#runs.set(path, run);
    const forget = (): void => {
      if (this.#runs.get(path) === run) this.#runs.delete(path);
    };
    run.outcome.then(forget, forget);
    return run;
  }

  /** A worker that stops waits for its tries; a program without one would be left behind. */
  #cleanUpAtExit(): void {
    if (this.#cleansUp) return;
    this.#cleansUp = true;
    process.on('exit', () => {
      for (const { isAlone, pid } of this.#runs.values()) {
        if (!isAlone || pid === undefined) continue;
        try {
          process.kill(-pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
    });
  }
}
