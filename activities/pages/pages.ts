import type { HostActivities } from '../../domain/types/activities.ts';
import type { Store } from '../store/store.ts';

/** The activities `storePage` and `readPage`: what a task does not carry from run to run, and what it could not carry in one value. */
export function createPages(store: Pick<Store, 'put' | 'get'>): Pick<HostActivities, 'storePage' | 'readPage'> {
  return {
    storePage: ({ content }) => store.put(content),
    readPage: async ({ page }) => (await store.get(page)).toString('utf8'),
  };
}
