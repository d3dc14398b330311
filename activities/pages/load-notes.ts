import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Store } from '../store/store.ts';

/** The project's notes as the task froze them; undefined for a task without. */
export const loadNotes = async (store: Pick<Store, 'get'>, notes: Ref | undefined): Promise<string | undefined> =>
  notes === undefined ? undefined : (await store.get(notes)).toString('utf8');
