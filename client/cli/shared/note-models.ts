import { formatChoice } from '../../../domain/config/found-models.ts';
import type { ModelSettings } from '../../../domain/llm/built-in-models.ts';
import { plainLine } from '../../terminal/text/terminal-text.ts';
import type { Context } from './context.ts';

/** Names the models that were found for a task, before it starts. Programs read them in its report. */
export function noteModels({ output }: Context, settings: ModelSettings | undefined): void {
  if (settings !== undefined && !output.json) output.note(plainLine(formatChoice(settings)));
}
