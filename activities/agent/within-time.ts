export const outOfTime = Symbol('out of time');

/** Waits no longer than this. What is still running then is told by the signal that it was given. */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<T | typeof outOfTime> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<typeof outOfTime>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      resolve(outOfTime);
    }, ms);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, limit.signal])), over]);
  } finally {
    clearTimeout(timer);
  }
}
