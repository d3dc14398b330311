import { taskLink } from '../links/web-links.ts';
import type { Endpoint } from '../ports/service.ts';
import { apiBase } from './api-base.ts';
import type { AppParts } from './app-parts.ts';

/** The addresses of a task: of the API, of the console, and in the Temporal Web UI where that is known. */
export const linksOfTask = (parts: AppParts, endpoint: Endpoint, task: string) => ({
  self: `${apiBase}/tasks/${encodeURIComponent(task)}`,
  console: `${parts.ownAddresses().console}/tasks/${encodeURIComponent(task)}`,
  webUi: taskLink(endpoint, task),
});

/** The address of a question in the console. */
export const linksOfDecision = (parts: AppParts, task: string, decision: string) => ({
  console: `${parts.ownAddresses().console}/tasks/${encodeURIComponent(task)}/decisions/${encodeURIComponent(decision)}`,
});
