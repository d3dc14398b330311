import { mkdir } from 'node:fs/promises';

import type { ConversationOwner } from '../../agent/conversation-owner.ts';
import { scratchFolder, scratchOutput, showLog } from '../../attempt/attempt-scratch.ts';
import type { AgentAttempt, Attempt } from '../../attempt/attempt.ts';
import type { ExecutionParts } from '../../attempt/execution-parts.ts';

/** Identifies an attempt's conversation. After a reset of the workflow another attempt has the same path, and began at another time. */
export const conversationKey = ({ paths, input }: Attempt): Pick<ConversationOwner, 'log' | 'key'> => ({
  log: paths.conversation,
  key: input.startedAt,
});

interface OwnerParts extends Pick<ExecutionParts, 'owned' | 'askTask'> {
  attempt: AgentAttempt;
  redact: (text: string) => string;
}

/** An execution of an attempt as the owner of its conversation: the running record fences it, and the task has news for it. */
export function ownConversation({ attempt, owned, askTask, redact }: OwnerParts): ConversationOwner {
  const { input, subtask, paths } = attempt;
  const { record } = owned;
  const scratch = scratchFolder(paths, record.run);
  return {
    ...conversationKey(attempt),
    run: record.run,
    asker: { task: input.taskId, role: 'executor', subtask: subtask.id, attempt: input.attempt },
    openOutput: async () => {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      await showLog(paths, scratch);
      return scratchOutput(scratch).output;
    },
    refuseUnlessOurs: () => owned.refuseUnlessOurs(),
    readNews: askTask,
    redact,
  };
}
