import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { Gap } from '../../follow/read-pages.ts';
import { formatMissing } from '../../follow/format-missing.ts';
import type { Output } from '../../cli/shared/output.ts';
import { renderDecision } from '../render/render-decision.ts';
import { isNews } from './is-news.ts';
import { plainLine } from '../text/terminal-text.ts';
import type { View } from './view.ts';

/** Plain lines for logs and pipes: time, subtask, sentence. */
export class LineView implements View {
  readonly #output: Output;
  readonly #questions: boolean;
  #trouble: string | undefined;
  readonly #began = Date.now();
  /** Older questions whose choices are not spelled out yet: of those that were answered long ago they never are. */
  readonly #opened = new Map<string, EventOfTask & { type: 'decision.opened' }>();
  #asking: NodeJS.Immediate | undefined;

  /** Without `questions` the choices are not spelled out: the command ends with them. */
  constructor(output: Output, { questions }: { questions: boolean }) {
    this.#output = output;
    this.#questions = questions;
  }

  event(event: EventOfTask): void {
    if (isNews(event)) this.#output.print(eventLine(event));
    if (event.type === 'decision.answered') this.#opened.delete(event.decisionId);
    if (event.type === 'task.ended') this.#opened.clear();
    if (event.type !== 'decision.opened' || !this.#questions) return;
    this.#opened.set(event.decision.id, event);
    if (Date.parse(event.time) >= this.#began) this.#ask();
    else this.#asking ??= setImmediate(() => this.#ask());
  }

  missing(gap: Gap, host: string | null): void {
    this.#output.print(`… ${formatMissing('event', gap, host)}`);
  }

  trouble(what: string | undefined): void {
    if (what !== undefined && what !== this.#trouble) this.#output.note(`… ${what}; still trying`);
    this.#trouble = what;
  }

  close(): Promise<void> {
    this.#ask();
    return Promise.resolve();
  }

  #ask(): void {
    clearImmediate(this.#asking);
    this.#asking = undefined;
    for (const { taskId, decision } of this.#opened.values()) {
      const lines = renderDecision(taskId, decision, this.#output.paint);
      this.#output.print(...lines.map((line) => `    ${line}`));
    }
    this.#opened.clear();
  }
}

/** To the second, in UTC: the line may be read elsewhere, and much later. */
export function eventLine(event: EventOfTask): string {
  const subtask = 'subtask' in event ? event.subtask : undefined;
  return `${event.time.replace(/\.\d+Z$/, 'Z')}  ${subtask ?? '-'}  ${plainLine(event.text)}`;
}
