import { useCallback, useEffect, useState } from 'preact/hooks';

interface Loaded<Value> {
  value: Value | undefined;
  error: unknown;
  reload: () => void;
}

/** Reads something when a part is shown, and again when a key changes; an answer that comes too late is dropped. */
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
    read(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, error: undefined }),
      (error: unknown) => controller.signal.aborted || setState((before) => ({ value: before.value, error })),
    );
    return () => controller.abort();
  }, [...keys, turn]);
  return { ...state, reload: useCallback(() => setTurn((before) => before + 1), []) };
}
