import type { HostActivities, SharedActivities } from '../domain/model/activities.ts';
import type { ComposeActivities } from '../domain/model/compose.ts';
import { cancelTask } from './task/cancel-task.ts';
import { beating } from './attempt/beating.ts';
import { createComposeCall } from './task/compose-call.ts';
import { createPages } from './task/pages.ts';
import { createExecuteSubtask } from './execute/execute-subtask.ts';
import { rootOfStore } from './home-layout.ts';
import { rememberTask } from './project-memory.ts';
import { createPrepareTask, type PrepareParts } from './prepare/prepare-task.ts';
import { FileStore } from './store/file-store.ts';
import { createVerifySubtask } from './verify/verify-subtask.ts';

/** Activities that need no files, for the common queue. */
export function createSharedActivities(parts: PrepareParts): SharedActivities {
  const store = new FileStore(parts.storeFolder);
  return { prepareTask: beating(createPrepareTask(parts, store)), cancelTask, rememberTask };
}

/** Activities that need the workspace or the store, for the queue of this host. A plan that names its host is prepared here too. */
export function createHostActivities(parts: PrepareParts): HostActivities & ComposeActivities {
  const store = new FileStore(parts.storeFolder);
  const root = rootOfStore(parts.storeFolder);
  const { storePage, readPage } = createPages(store);
  return {
    prepareTask: beating(createPrepareTask(parts, store)),
    composeCall: beating(createComposeCall(store)),
    executeSubtask: createExecuteSubtask({ store, root, env: parts.env }),
    verifySubtask: createVerifySubtask({ store, root, env: parts.env }),
    storePage: beating(storePage),
    readPage: beating(readPage),
  };
}
