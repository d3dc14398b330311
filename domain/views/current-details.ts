import { optionRule } from '../decisions/options/decision-kinds.ts';
import { exampleValue, formatAction, formatNeed } from '../decisions/options/format-action.ts';
import type { BudgetKey } from '../types/basic/budget.ts';
import type { Decision } from '../types/decision.ts';
import { limits } from '../limits/domain-limits.ts';
import { formatLeftFiles } from '../decisions/left-files.ts';
import { taskStatus } from '../schedule/schedule.ts';
import { listOpenItems } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { formatAmount, formatBudget } from '../events/format-budget.ts';
import { summarise } from './task-status.ts';
import { usedNow } from '../schedule/budget-limits.ts';
import { fence } from '../text/fence.ts';
import { clip, escapeMarkdown, formatCount, utf8Length } from '../text/text.ts';

/** Rows of a list in the Web UI before it says how many more there are. */
const rows = 8;

/** Markdown for the User Metadata tab: what it does now, what waits for a person and the JSON that answers it, what runs. */
export function currentDetails(state: TaskState, now: number, trouble: string | null = null): string {
  return fit([
    [`**${escapeMarkdown(clip(state.goal, 160))}**`],
    [`${taskStatus(state, now)}: ${escapeMarkdown(summarise(state, now))}`],
    ...(trouble === null ? [] : [[`Trouble: ${escapeMarkdown(trouble)}`]]),
    ...state.decisions.open.slice(0, rows).map((decision) => [question(decision), shortQuestion(decision)]),
    ...(state.decisions.open.length > rows
      ? [[`and ${formatCount(state.decisions.open.length - rows, 'more question')}`]]
      : []),
    ...listBlock(
      `Running${state.plan.settings === null ? '' : ` on host ${escapeMarkdown(state.plan.settings.host)}`}`,
      state.queue.running,
    ),
    ...listBlock('Tried again soon', state.queue.delayed),
    ...listBlock('Evidence owed by', listOpenItems(state)),
    ...budgetBlock(state, now),
    ...state.log.refused.map((reason) => [`A signal was refused: ${escapeMarkdown(clip(reason, 200))}`]),
  ]);
}

/** Whole blocks only, each in its longest form that fits: half a JSON example helps nobody. */
function fit(blocks: string[][]): string {
  const kept: string[] = [];
  let left = limits.currentDetails - utf8Length(more) - 2;
  for (const forms of blocks) {
    const block = forms.find((form) => utf8Length(form) + 2 <= left);
    if (block === undefined) return [...kept, more].join('\n\n');
    left -= utf8Length(block) + 2;
    kept.push(block);
  }
  return kept.join('\n\n');
}

const more = '… more in `heddle status`';

function question(decision: Decision): string {
  const options = decision.options.map((option) => `- ${option.id}: ${escapeMarkdown(clip(option.consequence, 140))}`);
  return [
    `### ${escapeMarkdown(decision.id)}`,
    ...problemBlocks(decision),
    ...decision.tried.slice(-1).map((last) => escapeMarkdown(clip(last, 240))),
    ...('files' in decision ? formatLeftFiles(decision.files, rows).map(escapeMarkdown) : []),
    options.join('\n'),
    `Answer: More Actions, Send an Update, name \`decide\`, data:`,
    example(decision),
    ...editExample(decision),
  ].join('\n\n');
}

/** A gated action is shown as it would be run. */
function problemBlocks(decision: Decision): string[] {
  if (decision.kind !== 'approval' || decision.action === undefined)
    return [escapeMarkdown(clip(decision.problem, 400))];
  const { action, subtask } = decision;
  return [escapeMarkdown(formatNeed(subtask, action)), fence(clip(formatAction(action), shownAction))];
}

/** Characters of an action in the Web UI, which has room for several questions. */
const shownAction = 2_000;

/** Arguments to change in place. */
function editExample(decision: Decision): string[] {
  if (decision.kind !== 'approval' || decision.action === undefined) return [];
  const { needsValue } = optionRule(decision, 'edit');
  const value: unknown = JSON.parse(exampleValue(decision.action, needsValue?.example ?? '{}'));
  return ['With other arguments:', fence(JSON.stringify({ decisionId: decision.id, option: 'edit', value }), 'json')];
}

/** For a question that is too long for the room that is left: what to answer, the rest is in the status. */
function shortQuestion(decision: Decision): string {
  const options = decision.options.map(({ id }) => id).join(', ');
  return [`### ${escapeMarkdown(decision.id)}`, `Options: ${options}`, example(decision)].join('\n\n');
}

/** Taken as it is when somebody sends it unchanged. */
function example(decision: Decision): string {
  const { id, recommendation } = decision;
  const { requiredText } = optionRule(decision, recommendation);
  const instruction = requiredText === undefined ? {} : { instruction: `say here ${requiredText}` };
  return fence(JSON.stringify({ decisionId: id, option: recommendation, ...instruction }), 'json');
}

/** Each limit, and how much of it is used. */
function budgetBlock(state: TaskState, now: number): string[][] {
  const used = usedNow(state, now);
  const parts = (Object.keys(state.budget.limits) as BudgetKey[]).flatMap((key) => {
    const limit = state.budget.limits[key];
    return limit === undefined
      ? []
      : [`${formatBudget(key)} ${formatAmount(key, used[key] ?? 0)} of ${formatAmount(key, limit)}`];
  });
  return parts.length === 0 ? [] : [[`Budget: ${parts.join(', ')}`]];
}

function listBlock(title: string, ids: readonly string[]): string[][] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, rows).map((id) => `- ${escapeMarkdown(id)}`);
  if (ids.length > rows) shown.push(`- and ${ids.length - rows} more`);
  return [[`${title}:\n\n${shown.join('\n')}`]];
}
