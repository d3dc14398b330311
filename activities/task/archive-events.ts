import type { Ref } from '../../domain/model/ref.ts';
import type { LoggedEvent } from '../../domain/model/events.ts';
import type { Store } from '../store/store.ts';

/** The activity `archiveEvents`: a page of old events goes to the store, so that a new run does not carry it. */
export function createArchiveEvents(store: Store) {
  return (input: { taskId: string; events: LoggedEvent[] }): Promise<Ref> => store.put(JSON.stringify(input.events));
}
