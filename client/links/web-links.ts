import { decisionKinds, buildWorkflowId } from '../../domain/names/names.ts';
import { attributes } from '../../domain/names/search-attributes.ts';
import type { Endpoint } from '../ports/service.ts';

type WebUiAddress = Pick<Endpoint, 'webUi' | 'namespace'>;

function workflowsPage({ webUi, namespace }: WebUiAddress): string | null {
  return webUi === null ? null : `${webUi.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}

/** The address of a task in the Temporal Web UI. It has no run id, so that it is right after continue-as-new too. */
export function taskLink(address: WebUiAddress, taskId: string): string | null {
  const page = workflowsPage(address);
  return page === null ? null : `${page}/${encodeURIComponent(buildWorkflowId(taskId))}`;
}

const waiting = `\`${attributes.waitingOn}\` in (${decisionKinds.map((kind) => `"${kind}"`).join(',')})`;

/** The address of all tasks that wait for a person, in the Temporal Web UI. */
export function waitingLink(address: WebUiAddress): string | null {
  const page = workflowsPage(address);
  return page === null ? null : `${page}?query=${encodeURIComponent(waiting)}`;
}
