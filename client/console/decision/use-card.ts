import { useEffect } from 'preact/hooks';
import type { Card } from '../api/wire.ts';
import { cards, inbox, keyOf, readCard } from '../live/board.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** The whole card of a question, read again when it leaves the inbox: then it has its answer. */
export function useCard(
  task: string,
  decision: string,
): { card: Card | undefined; error: unknown; reload: () => void } {
  const key = `${task}/${decision}`;
  const isOpen = inbox.value.some((item) => keyOf(item) === key);
  const { value, error, reload } = useLoaded((signal) => readCard(task, decision, signal), [key]);
  useEffect(() => {
    if (!isOpen && value !== undefined && value.answer === undefined) reload();
  }, [isOpen]);
  return { card: value ?? cards.value.get(key), error, reload };
}
