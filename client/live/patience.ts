import { isGrpcCancelledError } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientLimits } from '../limits/client-limits.ts';
import { findGrpcError } from '../temporal/explain-error.ts';

export interface Patience {
  signal: AbortSignal;
  /** Called with a reason while calls fail, and with undefined when one succeeds. */
  onTrouble: (trouble: string | undefined) => void;
}

/** Waits out a server that restarts or a worker that is away; undefined when the signal was aborted or the call has to be made again. */
export async function patiently<T>(action: () => Promise<T>, { signal, onTrouble }: Patience): Promise<T | undefined> {
  try {
    const result = await action();
    onTrouble(undefined);
    return result;
  } catch (error) {
    if (isGrpcCancelledError(error) || signal.aborted) return undefined;
    if (!passes(error)) throw error;
    onTrouble(
      findGrpcError(error)?.code === unavailable ? 'the Temporal server is not responding' : 'no worker is responding',
    );
    await sleep(clientLimits.follow.retry, undefined, { signal }).catch(() => undefined);
    return undefined;
  }
}

const unavailable = 14;
/** Bad argument, not found, not permitted, not implemented, not authenticated: asking again does not help. */
const lasting: ReadonlySet<number> = new Set([3, 5, 7, 12, 16]);

function passes(error: unknown): boolean {
  const answer = findGrpcError(error);
  return answer === undefined ? error instanceof Error && 'code' in error : !lasting.has(answer.code);
}
