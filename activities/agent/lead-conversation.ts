import {
  describeAnswer,
  describeCompaction,
  describeLog,
  describePermit,
  describeTurn,
} from '../../domain/conversation/describe.ts';
import type { AgentEnd } from './agent-end.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import { DraftLog } from './draft-log.ts';
import { LiveLog } from './live-log.ts';
import { runAgent, type AgentParts } from './run-agent.ts';

interface LeadParts extends Omit<AgentParts, 'owner' | 'onText' | 'onTurn' | 'onAnswer' | 'onPermit' | 'onCompaction'> {
  owner: ConversationOwner;
  /** Hears of each line that people see. */
  onLine: (line: string) => void;
}

/** Leads a conversation from where it stands until it must stop, while people follow it line by line. */
export async function leadConversation({ owner, onLine, ...parts }: LeadParts): Promise<AgentEnd> {
  const { log } = parts;
  const { frame } = log.conversation;
  const output = await owner.openOutput();
  const liveLog = new LiveLog(output, describeLog(log.entries).map(owner.redact));
  const draft = new DraftLog({ output, redact: owner.redact });
  const show = (...lines: string[]): void => {
    const safe = lines.map(owner.redact);
    liveLog.write(...safe);
    for (const line of safe) onLine(line.trim());
  };
  try {
    return await runAgent({
      ...parts,
      owner,
      onText: (text) => draft.add(log.conversation.turns + 1, text),
      onTurn: (turn) => {
        show(...describeTurn(turn, frame.model.name));
        draft.clear();
      },
      onAnswer: (answer, call) => show(describeAnswer(answer, call)),
      onPermit: (permit) => show(describePermit(permit)),
      onCompaction: (fold) => show(describeCompaction(fold)),
    });
  } finally {
    await draft.close();
    await liveLog.close();
  }
}
