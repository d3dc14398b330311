import type { LoggedEvent } from '../../domain/types/events.ts';
import { newsFor } from '../../domain/messages/steering.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { finishedSubtasks } from '../../domain/task/read-state.ts';
import { showAttempt } from '../../domain/task/records.ts';
import type { TaskState } from '../../domain/task/state.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { pageFrom } from '../../domain/views/page-items.ts';
import { statusView } from '../../domain/views/task-status.ts';
import { serveQuery } from '../shared/raw-message.ts';
import * as messages from './messages.ts';

/** Serves the queries of a task. `findState`: undefined while the state of the run before is read from the store. */
export function serveQueries(findState: () => TaskState | undefined): void {
  const { descriptions } = messages;
  const loadedState = (): TaskState => {
    const state = findState();
    if (state === undefined) throw new Error(messages.loadingMessage);
    return state;
  };
  serveQuery(messages.status, () => statusView(loadedState(), Date.now()), descriptions.status);
  serveQuery(messages.plan, () => planView(loadedState()), descriptions.plan);
  serveQuery(
    messages.attempts,
    (query) => {
      const {
        log: { archive, records },
      } = loadedState();
      return pageFrom(records, showAttempt, { from: (query?.after ?? 0) - (archive.attempts.at(-1)?.to ?? 0) });
    },
    descriptions.attempts,
  );
  serveQuery(
    messages.events,
    (query) => {
      const {
        id: taskId,
        log: { events },
      } = loadedState();
      const first = events[0]?.id ?? 1;
      const since = query?.since ?? 0;
      const show = (event: LoggedEvent) => ({ ...event, taskId });
      return pageFrom(events, show, { from: since + 1 - first, most: query?.limit });
    },
    descriptions.events,
  );
  serveQuery(
    messages.results,
    (query) => pageFrom(finishedSubtasks(loadedState()), (work) => work, { from: query?.after ?? 0 }),
    descriptions.results,
  );
  serveQuery(messages.steering, (query) => newsFor(loadedState(), query), descriptions.steering);
  serveQuery(messages.archive, () => loadedState().log.archive, descriptions.archive);
}

function planView({ plan: { settings, current: plan } }: TaskState): messages.PlanView | null {
  if (settings === null || plan === null) return null;
  const { version, rows, pages, definitions, written } = plan;
  const made = written === undefined ? {} : { written };
  const view = { ...settings, planVersion: version, subtasks: definitions ?? rows, pages, ...made };
  // The pages hold it all; what does not fit into an answer is read there.
  return utf8Length(JSON.stringify(view)) <= limits.answerBytes ? view : { ...view, subtasks: [] };
}
