import type { Client } from '@temporalio/client';

/** The client keeps a listener for every call on the signal it is given, so each call gets a signal of its own. */
export async function abortable<T>(
  client: Client,
  signal: AbortSignal | undefined,
  action: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return action();
  const own = new AbortController();
  const abort = (): void => own.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await client.withAbortSignal(own.signal, action);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
