import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import type { Gap } from '../../follow/read-pages.ts';
import type { TaskFeed } from '../../live/task-feed.ts';
import { answerFromHere } from '../../decide/answer-from-here.ts';
import type { Context } from '../../cli/shared/context.ts';
import { PersonNeeded } from '../../watch/person-needed.ts';
import { endOfTask } from './end-of-task.ts';
import { exits } from '../../cli/shared/exit-codes.ts';
import { JsonView } from './json-view.ts';
import { LineView } from './line-view.ts';
import { isInForeground } from '../ask/job-control.ts';
import { LiveView } from './live-view.ts';
import { PlainView } from './plain-view.ts';
import type { Endpoint } from '../../ports/service.ts';
import { answerCommand, renderDecision } from '../render/render-decision.ts';
import { onceAskedToStop } from '../../cli/shared/stop-request.ts';
import type { View } from './view.ts';
import { taskLink } from '../../links/web-links.ts';

export interface FollowRequest {
  endpoint: Endpoint;
  handle: TaskHandle;
  /** Events after this number. */
  since: number;
  exitOnDecision: boolean;
}

/** Shows a task to its end, and returns the exit code that `run` and `watch` have then. */
export async function followToEnd(context: Context, request: FollowRequest): Promise<number> {
  const { handle } = request;
  for (let { since } = request; ;) {
    const seen = await new Following(context, { ...request, since }).run();
    if (seen.person !== undefined) return reportPersonNeeded(context, request, seen.person);
    if (seen.interrupted) return reportDetached(context, handle.id);
    const exit = await endOfTask(context, request, seen.ended);
    if (exit !== undefined) {
      // The worker does so as well, a moment later.
      await context.ports.forgetVariables(request.endpoint, handle.id);
      return exit;
    }
    if (seen.ended === undefined) throw stillOpen(handle.id);
    // A worker told of an end that a server, killed just then, did not keep: it comes again.
    since = seen.ended.id - 1;
  }
}

const stillOpen = (id: string): HeddleError =>
  new HeddleError({
    code: 'TASK_RUNNING',
    message: `The task ${id} sends no more events, but it has not ended`,
    hint: `\`heddle watch ${id}\` follows it again.`,
  });

interface FollowState {
  ended?: EventOfTask;
  /** The status at which a person is needed. */
  person?: StatusView;
  interrupted: boolean;
}

class Following {
  readonly #context: Context;
  readonly #request: FollowRequest;
  readonly #stop = new AbortController();
  readonly #personNeeded: PersonNeeded;
  #person: StatusView | undefined;

  constructor(context: Context, request: FollowRequest) {
    this.#context = context;
    this.#request = request;
    this.#personNeeded = new PersonNeeded(request.handle, request.since);
  }

  async run(): Promise<FollowState> {
    const { ports, output } = this.#context;
    const interrupt = (): void => this.#stop.abort();
    const release = onceAskedToStop(ports, interrupt);
    output.closed.addEventListener('abort', interrupt, { once: true });
    const view = this.#createView(interrupt);
    try {
      const ended = await this.#follow(view);
      return {
        interrupted: this.#stop.signal.aborted,
        ...(ended === undefined ? {} : { ended }),
        ...(this.#person === undefined ? {} : { person: this.#person }),
      };
    } finally {
      await view.close();
      output.closed.removeEventListener('abort', interrupt);
      release();
    }
  }

  async #follow(view: View): Promise<EventOfTask | undefined> {
    const { handle, since, exitOnDecision } = this.#request;
    const feed = handle.feed();
    const activity = view.activity !== undefined;
    const status = view.status !== undefined || activity || exitOnDecision;
    let ended: EventOfTask | undefined;
    for await (const news of feed.read({ since, signal: this.#stop.signal, status, activity })) {
      if (news.kind === 'event') {
        this.#takeEvent(view, news.event);
        if (news.event.type === 'task.ended') ended = news.event;
      } else if (news.kind === 'gap') await this.#showMissing(view, news.gap);
      else if (news.kind === 'status') await this.#takeStatus(view, feed, news.status);
      else if (news.kind === 'activity') view.activity?.(news.activity);
      else view.trouble(news.trouble);
    }
    if (view.status !== undefined && !this.#stop.signal.aborted) await this.#showLast(view);
    return ended;
  }

  #takeEvent(view: View, event: EventOfTask): void {
    this.#personNeeded.event(event);
    view.event(event);
  }

  /** Stops at a question that nothing can continue without, after the events that led there. */
  async #takeStatus(view: View, feed: TaskFeed, status: StatusView): Promise<void> {
    view.status?.(status);
    if (!this.#request.exitOnDecision) return;
    const isNeeded = await this.#personNeeded.check(status);
    if (isNeeded === 'ahead') feed.refresh();
    if (isNeeded !== true) return;
    this.#person = status;
    this.#stop.abort();
  }

  /** How it ended, where that can be had: what it came to is said below in any case. */
  async #showLast(view: View): Promise<void> {
    const status = await this.#request.handle.status().catch(() => undefined);
    if (status !== undefined) view.status?.(status);
  }

  async #showMissing(view: View, gap: Gap): Promise<void> {
    const status = await this.#request.handle.status().catch(() => undefined);
    view.missing(gap, status?.host ?? null);
  }

  #createView(interrupt: () => void): View {
    const { output, ports } = this.#context;
    const { handle, endpoint, exitOnDecision, since } = this.#request;
    if (output.json) return new JsonView(output, handle.id);
    const asks = ports.stdin.isTTY === true && output.stdout.isTTY === true && !exitOnDecision && isInForeground();
    const answered = answerFromHere(ports, endpoint, handle);
    if (output.live)
      return new LiveView(this.#context, {
        handle: { ...answered, plan: () => handle.plan() },
        link: taskLink(endpoint, handle.id),
        asks,
        onInterrupt: interrupt,
      });
    return asks ? new PlainView(this.#context, answered, since) : new LineView(output, { questions: !exitOnDecision });
  }
}

function reportPersonNeeded({ output }: Context, { handle }: FollowRequest, { decisions, state }: StatusView): number {
  const resume = state === 'paused' ? [`heddle resume ${handle.id}`] : [];
  if (output.json) {
    throw new HeddleError({
      code: 'PERSON_NEEDED',
      message: `The task ${handle.id} is waiting for an answer to ${formatList(decisions.map(({ id }) => id))}`,
      hint: [...decisions.map((decision) => answerCommand(handle.id, decision)), ...resume].join('; '),
    });
  }
  const lines = decisions.flatMap((decision) => ['', ...renderDecision(handle.id, decision, output.paint)]);
  output.print('', `The task ${handle.id} is waiting for a person.`, ...lines);
  output.print(...resume.map((command) => `\nIt is paused; after the answers: ${command}`));
  return exits.personNeeded;
}

function reportDetached({ output }: Context, taskId: string): number {
  const back = `heddle watch ${taskId}`;
  if (output.json) {
    throw new HeddleError({
      code: 'INTERRUPTED',
      message: `Stopped watching; the task ${taskId} keeps running`,
      hint: `Reconnect with \`${back}\`, or stop the task with \`heddle cancel ${taskId}\`.`,
    });
  }
  output.note(
    '',
    `Detached; the task ${taskId} keeps running.`,
    `  reconnect:  ${back}`,
    `  stop it:    heddle cancel ${taskId}`,
  );
  return exits.interrupted;
}
