import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { attributes, searchAttributes } from '../../../domain/names/search-attributes.ts';
import { taskStatus } from '../../../domain/schedule/schedule.ts';
import type { TaskState } from '../../../domain/task/state.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';

const stateKey = defineSearchAttributeKey(attributes.state, searchAttributes.HeddleState);
const projectKey = defineSearchAttributeKey(attributes.project, searchAttributes.HeddleProject);
const waitingKey = defineSearchAttributeKey(attributes.waitingOn, searchAttributes.HeddleWaitingOn);
const costKey = defineSearchAttributeKey(attributes.costUsd, searchAttributes.HeddleCostUsd);

/** Shows a task in the Web UI: its details, and search attributes, which cost an event each, so only when they change. */
export class StateDisplay {
  private shown = '';

  /** `trouble`: something of ours that does not work, in words for people. */
  show(state: TaskState, now: number, trouble: string | null): void {
    setCurrentDetails(currentDetails(state, now, trouble));
    const registered = state.plan.settings?.searchAttributes ?? [];
    const values = {
      HeddleState: taskStatus(state, now),
      HeddleWaitingOn: [...new Set(state.decisions.open.map((decision) => decision.kind))],
    };
    const shown = JSON.stringify(values);
    if (registered.length === 0 || shown === this.shown) return;
    const isFirst = this.shown === '';
    this.shown = shown;
    const { costUsd } = state.budget.used;
    const pairs: SearchAttributeUpdatePair[] = [
      { key: stateKey, value: values.HeddleState },
      { key: waitingKey, value: values.HeddleWaitingOn },
      ...(isFirst ? [{ key: projectKey, value: state.plan.settings?.project ?? '' }] : []),
      ...(isFirst || costUsd !== undefined ? [{ key: costKey, value: costUsd ?? 0 }] : []),
    ];
    upsertSearchAttributes(pairs.filter((pair) => registered.includes(pair.key.name)));
  }
}
