import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { workerLimits } from '../limits/worker-limits.ts';
import {
  attributeTypeName,
  type SearchAttributeName,
  searchAttributeNames,
} from '../../domain/names/search-attributes.ts';

/** Temporal's names of the types, by their number on the wire. */
const typeNames = ['Unspecified', 'Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList'] as const;

export interface SearchAttributesReport {
  /** There, with the right type: only these may be used. */
  registered: SearchAttributeName[];
  wrongType: { name: SearchAttributeName; is: string; should: string }[];
  missing: SearchAttributeName[];
}

type OperatorConnection = Pick<ConnectionLike, 'operatorService' | 'workflowService' | 'withDeadline'>;

/** Heddle's search attributes that the namespace has. */
export async function readSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<SearchAttributesReport> {
  const { customAttributes } = await bounded(connection, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  const report: SearchAttributesReport = { registered: [], wrongType: [], missing: [] };
  for (const name of searchAttributeNames) {
    const should = attributeTypeName(name);
    const number = customAttributes[name];
    const is = number === undefined ? undefined : (typeNames.at(number) ?? String(number));
    if (is === undefined) report.missing.push(name);
    else if (is === should) report.registered.push(name);
    else report.wrongType.push({ name, is, should });
  }
  return report;
}

/** Registers what is missing and waits until it can be used. A wrong type stays: Temporal cannot change it. */
export async function registerSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<SearchAttributesReport> {
  const { missing } = await readSearchAttributes(connection, namespace);
  if (missing.length > 0) {
    const typesByName = Object.fromEntries(missing.map((name) => [name, typeNames.indexOf(attributeTypeName(name))]));
    await bounded(connection, () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes: typesByName }),
    );
    await untilUsable(connection, namespace, missing);
  }
  return readSearchAttributes(connection, namespace);
}

/** How long ended tasks stay readable; a dev server forgets them after a day. For our own server only. */
export async function setRetention(connection: OperatorConnection, namespace: string, days: number): Promise<void> {
  const retention = days * 24 * 60 * 60 * 1000;
  const { config } = await bounded(connection, () => connection.workflowService.describeNamespace({ namespace }));
  const is = config?.workflowExecutionRetentionTtl;
  if (is !== undefined && is !== null && tsToMs(is) === retention) return;
  const workflowExecutionRetentionTtl = msToTs(retention);
  await bounded(connection, () =>
    connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } }),
  );
}

/** A new attribute reaches the server's parts one by one; a query on it works when it has. */
async function untilUsable(connection: OperatorConnection, namespace: string, names: readonly string[]): Promise<void> {
  const query = names.map((name) => `${name} IS NOT NULL`).join(' OR ');
  const deadline = Date.now() + workerLimits.server.searchAttributesUsable;
  for (;;) {
    try {
      await bounded(connection, () => connection.workflowService.countWorkflowExecutions({ namespace, query }));
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(workerLimits.server.readyPoll);
    }
  }
}

function bounded<R>(connection: OperatorConnection, call: () => Promise<R>): Promise<R> {
  return connection.withDeadline(Date.now() + workerLimits.server.operatorCall, call);
}
