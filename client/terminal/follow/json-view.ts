import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { Gap } from '../../follow/read-pages.ts';
import { formatMissing } from '../../follow/format-missing.ts';
import type { LiveActivity } from '../../live/live-activity.ts';
import type { Output } from '../../cli/shared/output.ts';
import type { View } from './view.ts';

/** One JSON object per line: events with their numbers, and what running attempts print, which has none. */
export class JsonView implements View {
  readonly #output: Output;
  readonly #taskId: string;
  readonly #said = new Map<string, string>();

  constructor(output: Output, taskId: string) {
    this.#output = output;
    this.#taskId = taskId;
  }

  event(event: EventOfTask): void {
    this.#output.data(event);
  }

  missing(gap: Gap, host: string | null): void {
    this.#output.data({
      type: 'archived',
      taskId: this.#taskId,
      ...gap,
      host,
      text: formatMissing('event', gap, host),
    });
  }

  trouble(): void {
    // A program sees that nothing comes; the reason would be one more kind of line to know.
  }

  activity(activity: readonly LiveActivity[]): void {
    for (const { subtask, attempt, line } of activity) {
      const key = `${subtask ?? ''}/${attempt}`;
      if (line === '' || this.#said.get(key) === line) continue;
      this.#said.set(key, line);
      const time = new Date().toISOString();
      this.#output.data({ type: 'activity', time, taskId: this.#taskId, subtask, attempt, text: line });
    }
  }

  async close(): Promise<void> {}
}
