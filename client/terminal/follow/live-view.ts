import type { Problem } from '../../../domain/errors/heddle-error.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { Gap } from '../../follow/read-pages.ts';
import { formatMissing } from '../../follow/format-missing.ts';
import type { LiveActivity } from '../../live/live-activity.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import type { Context } from '../../cli/shared/context.ts';
import { renderOutset, renderTree } from '../render/render-tree.ts';
import { noColour } from '../text/paint.ts';
import { isNews } from './is-news.ts';
import { LiveQuestions } from './live-questions.ts';
import { Screen } from './screen.ts';
import { errorLines } from '../../cli/shared/show-error.ts';
import { plainLine } from '../text/terminal-text.ts';
import { userName } from '../../cli/shared/user-name.ts';
import type { View } from './view.ts';

export interface LiveOptions {
  handle: Pick<TaskHandle, 'id' | 'plan' | 'decide'>;
  link: string | null;
  /** True where questions are asked here; without a keyboard, or when the command ends at a question, they are only shown. */
  asks: boolean;
  /** Ctrl-C, which is a key while the keyboard is ours. */
  onInterrupt: () => void;
}

/** The plan as a tree that changes in place; questions are a part of it, and it goes on while they are open. */
export class LiveView implements View {
  readonly #context: Context;
  readonly #options: LiveOptions;
  readonly #screen: Screen;
  readonly #clock: NodeJS.Timeout;
  readonly #onResize = (): void => this.#draw({ again: true });
  readonly #recent: string[] = [];
  #questions: LiveQuestions | undefined;
  #tiers: ReadonlyMap<string, number> | undefined;
  #status: StatusView | undefined;
  #activity: readonly LiveActivity[] = [];
  #trouble: string | undefined;
  #notice: { lines: readonly string[]; until: number } | undefined;
  #quiet = false;

  constructor(context: Context, options: LiveOptions) {
    this.#context = context;
    this.#options = options;
    this.#screen = new Screen(context.output.stdout);
    if (options.asks) this.#questions = this.#ask();
    // Elapsed times go on also when nothing happens.
    this.#clock = setInterval(() => this.#draw(), clientLimits.cli.activityPoll);
    context.output.stdout.on('resize', this.#onResize);
    this.#draw();
  }

  event(event: EventOfTask): void {
    this.#questions?.event(event);
    if (isNews(event)) this.#tell(event.text);
    else this.#draw();
  }

  missing(gap: Gap, host: string | null): void {
    this.#tell(formatMissing('event', gap, host));
  }

  trouble(what: string | undefined): void {
    this.#trouble = what === undefined ? undefined : `${what}; still trying`;
    this.#draw();
  }

  status(status: StatusView): void {
    this.#status = status;
    if (this.#tiers === undefined && status.subtasks.length > 0) this.#readTiers();
    this.#questions?.status(status);
    this.#draw();
  }

  activity(activity: readonly LiveActivity[]): void {
    this.#activity = activity;
    this.#draw();
  }

  async close(): Promise<void> {
    clearInterval(this.#clock);
    await this.#questions?.close();
    this.#context.output.stdout.off('resize', this.#onResize);
    // A question that is still open is left with the command that answers it.
    this.#questions = undefined;
    if (this.#notice?.until !== Infinity) this.#notice = undefined;
    this.#draw();
    this.#quiet = true;
    this.#screen.leave();
  }

  #ask(): LiveQuestions {
    const { output, ports } = this.#context;
    return new LiveQuestions({
      input: ports.stdin,
      output: output.stdout,
      send: (answer) => this.#options.handle.decide({ ...answer, by: userName(ports.env) }),
      onChange: () => this.#draw(),
      onKey: () => this.#takeKey(),
      onMessage: (message) => this.#say(message),
      onInterrupt: () => this.#options.onInterrupt(),
      onSuspend: (suspended) => this.#suspend(suspended),
    });
  }

  /** A problem stays until it was seen: until a key is pressed. */
  #say(message: string | Problem): void {
    const isText = typeof message === 'string';
    const lines = isText ? [plainLine(message)] : errorLines(message, noColour);
    this.#notice = { lines, until: isText ? Date.now() + clientLimits.cli.notice : Infinity };
    this.#draw();
  }

  #takeKey(): void {
    if (this.#notice?.until === Infinity) this.#notice = undefined;
    this.#draw();
  }

  #suspend(suspended: boolean): void {
    this.#quiet = suspended;
    if (suspended) this.#screen.leave();
    else this.#draw();
  }

  #tell(text: string): void {
    this.#recent.push(text);
    if (this.#recent.length > clientLimits.cli.recentEvents) this.#recent.shift();
    this.#draw();
  }

  #draw({ again = false }: { again?: boolean } = {}): void {
    if (this.#quiet) return;
    const notice = this.#notice === undefined || this.#notice.until < Date.now() ? [] : this.#notice.lines;
    const shown = {
      activity: this.#activity,
      tiers: this.#tiers ?? new Map(),
      recent: this.#recent.filter((text) => !notice.includes(plainLine(text))),
      notice,
      trouble: this.#trouble,
      link: this.#options.link,
      panel: this.#questions?.panel,
      now: Date.now(),
      width: this.#screen.width,
      height: this.#screen.height,
      paint: this.#context.output.paint,
    };
    const status = this.#status;
    const lines =
      status === undefined ? renderOutset(this.#options.handle.id, shown) : renderTree({ ...shown, status });
    if (again) this.#screen.redraw(lines);
    else this.#screen.draw(lines);
  }

  /** The tiers of the plan do not change; without them the tree only says less. */
  #readTiers(): void {
    this.#tiers = new Map();
    this.#options.handle.plan().then(
      (plan) => (this.#tiers = new Map(plan?.subtasks.map(({ id, tier }) => [id, tier]))),
      () => (this.#tiers = undefined),
    );
  }
}
