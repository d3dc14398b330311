import type { Endpoint } from '../ports/service.ts';
import type { VariablesPort } from '../ports/variables.ts';
import type { TaskHandle } from '../sdk/task-handle.ts';

/** A task whose answers bring the variables of this command with them: the person who answers may have just corrected a key. */
export const answerFromHere = (
  ports: VariablesPort,
  endpoint: Endpoint,
  handle: TaskHandle,
): Pick<TaskHandle, 'id' | 'decide'> => ({
  id: handle.id,
  decide: async (answer, options) => {
    await ports.refreshVariables(endpoint, handle.id);
    return handle.decide(answer, options);
  },
});
