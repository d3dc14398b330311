import { mkdir } from 'node:fs/promises';

import type { ConversationOwner } from '../../agent/conversation-owner.ts';
import { scratchFolder, scratchOutput, showLog } from '../../attempt/attempt-scratch.ts';
import type { OwnedAttempt } from '../../attempt/owned-attempt.ts';
import type { AttemptPaths } from '../../home/home-layout.ts';
import type { AgentAssignment } from '../../attempt/assignment.ts';
import type { AskTask } from '../../temporal/ask-task.ts';

/** Identifies an attempt's conversation. After a reset of the workflow another attempt has the same path, and began at another time. */
export const conversationKey = (
  paths: AttemptPaths,
  { startedAt }: { startedAt: string },
): Pick<ConversationOwner, 'log' | 'key'> => ({ log: paths.conversation, key: startedAt });

interface OwnerParts {
  assignment: AgentAssignment;
  owned: OwnedAttempt;
  askTask: AskTask;
  redact: (text: string) => string;
}

/** An execution of an attempt as the owner of its conversation: the running record fences it, and the task has news for it. */
export function ownConversation({ assignment, owned, askTask, redact }: OwnerParts): ConversationOwner {
  const { input, subtask } = assignment;
  const { paths, record } = owned;
  const scratch = scratchFolder(paths, record.run);
  return {
    ...conversationKey(paths, input),
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
