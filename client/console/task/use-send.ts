import { useState } from 'preact/hooks';

/** Runs something that a person asked for: once at a time, and its refusal is shown. */
export function useSend(run: () => Promise<void>): { send: () => void; sending: boolean; error: unknown } {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = (): void => {
    setSending(true);
    setError(undefined);
    run().then(
      () => setSending(false),
      (caught: unknown) => {
        setSending(false);
        setError(caught);
      },
    );
  };
  return { send, sending, error };
}
