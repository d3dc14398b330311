import type { Client } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
import type proto from '@temporalio/proto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
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
  try {
    const { executions, nextPageToken } = await client.connection.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query: tasksQuery(query),
      pageSize: size,
      nextPageToken: from ?? new Uint8Array(),
    });
    const items = await Promise.all(executions.map((raw) => readExecution(client, raw)));
    return { items, next: nextPageToken.length === 0 ? null : nextPageToken };
  } catch (error) {
    throw explainError(error);
  }
}

/** The list filter of tasks that also fit a filter of the caller. */
export const tasksQuery = (query: string): string =>
  [allTasksQuery, ...(query === '' ? [] : [`(${query})`])].join(' AND ');

type RawExecution = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** Lists executions page by page, with nothing decoded: one payload that stays closed must not end a list. */
export async function* listExecutions(
  client: Client,
  { query, pageSize }: { query: string; pageSize?: number },
): AsyncIterable<RawExecution> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.connection.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query,
      nextPageToken,
      ...(pageSize === undefined ? {} : { pageSize }),
    });
    yield* page.executions;
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

/** The row of a task. Where its memo stays closed, the row says so in the place of the goal. */
export async function readExecution({ options }: Client, raw: RawExecution): Promise<TaskListing> {
  const { loadedDataConverter, namespace } = options;
  try {
    return readListing(await executionInfoFromRaw(raw, loadedDataConverter, raw, namespace));
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    const withoutMemo = { ...raw, memo: null };
    return {
      ...readListing(await executionInfoFromRaw(withoutMemo, loadedDataConverter, raw, namespace)),
      goal: error.message,
    };
  }
}
