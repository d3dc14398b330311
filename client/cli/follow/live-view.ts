import type { Decision } from '../../../domain/model/decision.ts';
import { HeddleError, type Problem } from '../../../domain/heddle-error.ts';
import { clientLimits } from '../../limits.ts';
import type { StatusView } from '../../../domain/task/status.ts';
import type { EventOfTask } from '../../../workflows/messages.ts';
import type { Gap } from '../../read-pages.ts';
import { sayMissing } from '../../text/missing.ts';
import type { LiveActivity, TaskHandle } from '../../task-handle.ts';
import { askPerson } from './ask-person.ts';
import type { Context } from '../context.ts';
import { renderTree } from '../render/render-tree.ts';
import { Screen } from './screen.ts';
import { errorLines } from '../show-error.ts';
import { plainLine } from '../../text/terminal-text.ts';
import { userName } from '../user-name.ts';
import type { View } from './view.ts';

const bell = '\u0007';

export interface LiveOptions {
  handle: TaskHandle;
  link: string | null;
  /** Whether questions are asked here; without a keyboard, or when the command ends at a question, they are only shown. */
  asks: boolean;
  /** Ctrl-C in a question. */
  onInterrupt: () => void;
}

/** The plan as a tree that changes in place; questions are asked below it. */
export class LiveView implements View {
  readonly #context: Context;
  readonly #options: LiveOptions;
  readonly #screen: Screen;
  readonly #clock: NodeJS.Timeout;
  readonly #onResize = (): void => this.#draw();
  readonly #recent: string[] = [];
  /** Questions that are not asked again: the person said later, or answered. */
  readonly #asked = new Set<string>();
  #tiers: ReadonlyMap<string, number> | undefined;
  #status: StatusView | undefined;
  #activity: readonly LiveActivity[] = [];
  #trouble: string | undefined;
  #question: { id: string; cancel: AbortController; over: Promise<void> } | undefined;
  #closing = false;
  #closed = false;

  constructor(context: Context, options: LiveOptions) {
    this.#context = context;
    this.#options = options;
    this.#screen = new Screen(context.output.stdout);
    // Elapsed times go on also when nothing happens.
    this.#clock = setInterval(() => this.#draw(), clientLimits.cli.activityPoll);
    context.output.stdout.on('resize', this.#onResize);
  }

  event(event: EventOfTask): void {
    this.#tell(event.text);
  }

  missing(gap: Gap, host: string | null): void {
    this.#tell(sayMissing('event', gap, host));
  }

  trouble(what: string | undefined): void {
    this.#trouble = what === undefined ? undefined : `${what}; still trying`;
    this.#draw();
  }

  status(status: StatusView): void {
    this.#status = status;
    if (this.#tiers === undefined && status.subtasks.length > 0) this.#readTiers();
    if (this.#question !== undefined && !status.decisions.some(({ id }) => id === this.#question?.id))
      this.#question.cancel.abort();
    this.#draw();
    this.#askNext();
  }

  activity(activity: readonly LiveActivity[]): void {
    this.#activity = activity;
    this.#draw();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#clock);
    this.#context.output.stdout.off('resize', this.#onResize);
    this.#question?.cancel.abort();
    await this.#question?.over;
    this.#draw();
    this.#closed = true;
    this.#screen.leave();
  }

  #tell(text: string): void {
    this.#recent.push(text);
    if (this.#recent.length > clientLimits.cli.recentEvents) this.#recent.shift();
    this.#draw();
  }

  #draw(): void {
    if (this.#status === undefined || this.#question !== undefined || this.#closed) return;
    const lines = renderTree({
      status: this.#status,
      activity: this.#activity,
      tiers: this.#tiers ?? new Map(),
      recent: this.#recent,
      trouble: this.#trouble,
      link: this.#options.link,
      now: Date.now(),
      width: this.#screen.width,
      height: this.#screen.height,
      paint: this.#context.output.paint,
    });
    this.#screen.draw(lines);
  }

  /** The tiers of the plan do not change; without them the tree only says less. */
  #readTiers(): void {
    this.#tiers = new Map();
    this.#options.handle.plan().then(
      (plan) => (this.#tiers = new Map(plan?.subtasks.map(({ id, tier }) => [id, tier]))),
      () => (this.#tiers = undefined),
    );
  }

  #askNext(): void {
    if (!this.#options.asks || this.#question !== undefined || this.#closing) return;
    const next = this.#status?.decisions.find(({ id }) => !this.#asked.has(id));
    if (next === undefined) return;
    this.#asked.add(next.id);
    this.#screen.leave();
    const cancel = new AbortController();
    const over = this.#ask(next, cancel.signal)
      .catch((error: unknown) => this.#sayRefused(error))
      .finally(() => {
        this.#question = undefined;
        this.#context.output.print('');
        this.#draw();
        this.#askNext();
      });
    this.#question = { id: next.id, cancel, over };
  }

  async #ask(decision: Decision, signal: AbortSignal): Promise<void> {
    const { output, ports } = this.#context;
    output.stdout.write(bell);
    output.print('', ...decision.tried.map((tried) => output.paint('dim', plainLine(tried))));
    const asked = await askPerson(decision, { input: ports.stdin, output: output.stdout, signal });
    if (asked === 'interrupted') {
      this.#closed = true;
      this.#options.onInterrupt();
    } else if (asked === 'gone') output.print(output.paint('dim', `${decision.id} is no longer open.`));
    else if (asked !== 'later') await this.#options.handle.decide({ ...asked, by: userName(ports.env) });
  }

  /** Somebody may have answered in the meantime: that is no reason to stop watching. */
  #sayRefused(error: unknown): void {
    const { output } = this.#context;
    const problem: Problem =
      error instanceof HeddleError ? error.toJSON() : { code: 'INTERNAL', message: String(error) };
    output.print(...errorLines(problem, output.paint));
  }
}
