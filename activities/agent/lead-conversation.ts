import {
  describeAnswer,
  describeCompaction,
  describeLog,
  describePermit,
  describeTurn,
} from '../../domain/conversation/describe.ts';
import type { AgentEnd } from './agent-end.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import { LiveLog } from './live-log.ts';
import { runAgent, type AgentParts } from './run-agent.ts';

interface LeadParts extends Omit<AgentParts, 'owner' | 'onTurn' | 'onAnswer' | 'onPermit' | 'onCompaction'> {
  owner: ConversationOwner;
  /** Hears of each line that people see. */
  onLine: (line: string) => void;
}

/** Leads a conversation from where it stands until it must stop, while people follow it line by line. */
export async function leadConversation({ owner, onLine, ...parts }: LeadParts): Promise<AgentEnd> {
  const { log } = parts;
  const { frame } = log.conversation;
  const liveLog = await LiveLog.open(owner, describeLog(log.entries).map(owner.redact));
  const show = (...lines: string[]): void => {
    const safe = lines.map(owner.redact);
    liveLog.write(...safe);
    for (const line of safe) onLine(line.trim());
  };
  try {
    return await runAgent({
      ...parts,
      owner,
      onTurn: (turn) => show(...describeTurn(turn, frame.model.name)),
      onAnswer: (answer, call) => show(describeAnswer(answer, call)),
      onPermit: (permit) => show(describePermit(permit)),
      onCompaction: (fold) => show(describeCompaction(fold)),
    });
  } finally {
    await liveLog.close();
  }
}
