import { workflowIdOf } from '../task-id.ts';
import type { Endpoint } from '../ports/service.ts';

type Place = Pick<Endpoint, 'webUi' | 'namespace'>;

function workflowsPage({ webUi, namespace }: Place): string | null {
  return webUi === null ? null : `${webUi.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}

/** A task in the Temporal Web UI: without a run id, so that it is right after continue-as-new too. */
export function taskLink(place: Place, taskId: string): string | null {
  const page = workflowsPage(place);
  return page === null ? null : `${page}/${encodeURIComponent(workflowIdOf(taskId))}`;
}

const waiting = '`HeddleWaitingOn` in ("approval","escalation","question","plan","budget")';

/** All that waits for a person in the Temporal Web UI. */
export function waitingLink(place: Place): string | null {
  const page = workflowsPage(place);
  return page === null ? null : `${page}?query=${encodeURIComponent(waiting)}`;
}
