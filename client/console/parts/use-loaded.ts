import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';

interface Loaded<Value> {
  value: Value | undefined;
  error: unknown;
  reload: () => void;
}

/** Between two tries where nobody answers: a service that starts, a worker that is away, too many requests. */
const tryAgainMs = 3_000;
const passing: readonly number[] = [0, 429, 502, 503, 504];

const passes = (error: unknown): boolean => error instanceof ApiError && passing.includes(error.status);

/** Reads something when a part is shown, and again when a key changes; an answer that comes too late is dropped. What passes is tried again. */
export function useLoaded<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ value: Value | undefined; error: unknown }>({
    value: undefined,
    error: undefined,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      if (document.hidden) timer = setTimeout(look, tryAgainMs);
      else read(controller.signal).then(take, fail);
    };
    const take = (value: Value): void => {
      if (!controller.signal.aborted) setState({ value, error: undefined });
    };
    const fail = (error: unknown): void => {
      if (controller.signal.aborted) return;
      setState((before) => ({ value: before.value, error }));
      if (passes(error)) timer = setTimeout(look, tryAgainMs);
    };
    read(controller.signal).then(take, fail);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [...keys, turn]);
  return { ...state, reload: useCallback(() => setTurn((before) => before + 1), []) };
}
