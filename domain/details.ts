import type { Decision } from './decision.ts';
import { limits } from './limits.ts';
import { taskStatus } from './schedule.ts';
import type { TaskState } from './state.ts';
import { summarise } from './status.ts';
import { clip, escapeMarkdown } from './text.ts';

/** Rows of a list in the Web UI before it says how many more there are. */
const rows = 8;

/** Markdown for the User Metadata tab: what it does now, what waits for a person and the JSON that answers it, what runs. */
export function currentDetails(state: TaskState, now: number): string {
  const blocks = [
    `**${escapeMarkdown(clip(state.goal, 160))}**`,
    `${taskStatus(state, now)}: ${escapeMarkdown(summarise(state, now))}`,
    ...state.decisions.slice(0, rows).map(decisionBlock),
    ...(state.decisions.length > rows ? [`and ${state.decisions.length - rows} more questions`] : []),
    ...listBlock('Running', state.running),
    ...listBlock('Tried again soon', state.delayed),
    ...state.refused.map((reason) => `A signal was not taken: ${escapeMarkdown(clip(reason, 200))}`),
  ];
  return fit(blocks);
}

/** Whole blocks only: half a JSON example helps nobody. */
function fit(blocks: string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const block of blocks) {
    length += block.length + 2;
    if (length > limits.currentDetails - 40) return [...kept, '… more in `heddle status`'].join('\n\n');
    kept.push(block);
  }
  return kept.join('\n\n');
}

function decisionBlock(decision: Decision): string {
  const options = decision.options.map((option) => `- ${option.id}: ${escapeMarkdown(clip(option.consequence, 140))}`);
  return [
    `### ${escapeMarkdown(decision.id)}`,
    escapeMarkdown(decision.problem),
    options.join('\n'),
    `Answer: More Actions, Send an Update, name \`decide\`, data:`,
    `\`\`\`json\n${JSON.stringify({ decisionId: decision.id, option: decision.recommendation, instruction: '' })}\n\`\`\``,
  ].join('\n\n');
}

function listBlock(title: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, rows).map((id) => `- ${escapeMarkdown(id)}`);
  if (ids.length > rows) shown.push(`- and ${ids.length - rows} more`);
  return [`${title}:\n\n${shown.join('\n')}`];
}
