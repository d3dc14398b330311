import type { TaskBrief } from '../types/agent.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip, escapeXml, formatList } from '../text/text.ts';

export interface AgentState {
  subtaskId: string;
  attempt: number;
  brief: TaskBrief;
  readRoots: readonly string[];
}

/** The state of the task and the folders that may be used. It is in the first message, so every call has it. */
export function agentState({ subtaskId, attempt, brief, readRoots }: AgentState): string {
  const counts = Object.entries(brief.counts).map(([status, count]) => `${count} ${status}`);
  const rows = brief.subtasks.map(({ id, status }) => `- ${id}: ${id === subtaskId ? 'yours' : status}`);
  const text = [
    `Your subtask: ${subtaskId}, attempt ${attempt}.`,
    `You may write: the working folder. You may read: the working folder${readRoots.length === 0 ? '' : `, ${formatList(readRoots, readRoots.length)}`}.`,
    ...(counts.length === 0 ? [] : [`Plan: ${counts.join(', ')}.`]),
    ...rows,
  ].join('\n');
  return `<task_state>\n${escapeXml(clip(text, limits.agentState))}\n</task_state>`;
}
