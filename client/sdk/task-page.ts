import type { Client } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
import { allTasksQuery } from '../../domain/names/names.ts';
import { explainError } from '../temporal/explain-error.ts';
import { readListing, type TaskListing } from './task-listing.ts';

/** One page of a list, and the server's own mark of where the next one begins; null behind the last one. */
export interface ListedPage {
  items: TaskListing[];
  next: Uint8Array | null;
}

/** Reads one page of tasks in the order of the server: open ones first, then by their end, the newest first. */
export async function listTaskPage(
  client: Client,
  { query, size, from }: { query: string; size: number; from: Uint8Array | null },
): Promise<ListedPage> {
  const { namespace, loadedDataConverter } = client.options;
  try {
    const { executions, nextPageToken } = await client.connection.workflowService.listWorkflowExecutions({
      namespace,
      query: [allTasksQuery, ...(query === '' ? [] : [`(${query})`])].join(' AND '),
      pageSize: size,
      nextPageToken: from ?? new Uint8Array(),
    });
    const infos = await Promise.all(
      executions.map((raw) => executionInfoFromRaw(raw, loadedDataConverter, raw, namespace)),
    );
    return { items: infos.map(readListing), next: nextPageToken.length === 0 ? null : nextPageToken };
  } catch (error) {
    throw explainError(error);
  }
}
