import { mayNotStart, nextCheck } from '../schedule/schedule.ts';
import { checkApproval } from './ask-gate.ts';
import type { RunningTask } from '../task/running-task.ts';
import { takeStanding } from './apply-answer.ts';

/** Before a subtask starts, a person says what becomes of the checks that a model planned for it and that a gate asks about. */
export function askAboutChecks(task: RunningTask): void {
  const { state } = task;
  if (state.control.phase !== 'running' || mayNotStart(state)) return;
  for (const id of [...state.queue.ready]) {
    for (let check = nextCheck(state, id); check !== undefined; check = nextCheck(state, id)) {
      const decision = checkApproval(state, id, check, task.now);
      task.record({ type: 'decision.opened', decision });
      // An action that is allowed for good is not asked about.
      if (!takeStanding(task, decision, 'action')) break;
    }
  }
}
