import { createInterface, type Interface } from 'node:readline';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import type { Gap } from '../../follow/read-pages.ts';
import type { TaskHandle } from '../../sdk/task-handle.ts';
import { takeLine } from '../ask/read-line.ts';
import type { Context } from '../../cli/shared/context.ts';
import { plainQuestion } from '../render/plain-question.ts';
import { errorLines } from '../../cli/shared/show-error.ts';
import { userName } from '../../cli/shared/user-name.ts';
import { LineView } from './line-view.ts';
import { OpenQuestions } from './open-questions.ts';
import type { View } from './view.ts';

/** Plain lines on a terminal: for screen readers, and for terminals that cannot redraw. Questions are answered by a line each. */
export class PlainView implements View {
  readonly #context: Context;
  readonly #lines: LineView;
  readonly #questions: OpenQuestions;
  readonly #input: Interface;
  /** The question that was asked last: each is printed once. */
  #asked = '';
  /** A status that knows of events which are not told yet. */
  #ahead: StatusView | undefined;
  #lastEvent: number;

  /** `since` is the event after which it is told. */
  constructor(context: Context, handle: Pick<TaskHandle, 'decide'>, since: number) {
    const { output, ports } = context;
    this.#context = context;
    this.#lastEvent = since;
    this.#lines = new LineView(output, { questions: false });
    this.#questions = new OpenQuestions({
      send: (answer) => handle.decide({ ...answer, by: userName(ports.env) }),
      onChange: () => this.#askNext(),
      onMessage: (message) =>
        typeof message === 'string' ? undefined : output.print(...errorLines(message, output.paint)),
    });
    this.#input = createInterface({ input: ports.stdin, terminal: false });
    this.#input.on('line', (line) => this.#take(line));
  }

  event(event: EventOfTask): void {
    this.#lines.event(event);
    this.#questions.event(event);
    this.#catchUp(event.id);
  }

  missing(gap: Gap, host: string | null): void {
    this.#lines.missing(gap, host);
    this.#catchUp(gap.to);
  }

  trouble(what: string | undefined): void {
    this.#lines.trouble(what);
  }

  status(status: StatusView): void {
    this.#ahead = status;
    this.#catchUp(this.#lastEvent);
  }

  async close(): Promise<void> {
    this.#input.close();
    await this.#questions.close();
  }

  /** The events that led to a question are shown before it. */
  #catchUp(lastEvent: number): void {
    this.#lastEvent = lastEvent;
    if (this.#ahead !== undefined && this.#ahead.lastEventId <= lastEvent) {
      this.#questions.status(this.#ahead);
      this.#ahead = undefined;
    }
    this.#askNext();
  }

  #take(line: string): void {
    const { problem } = this.#questions.take((panel) => takeLine(panel, line));
    if (problem !== undefined) this.#context.output.print(problem);
    this.#askNext();
  }

  #askNext(): void {
    const lines = plainQuestion(this.#questions.panel);
    // How many others are open changes while a person reads; that alone is no reason to read it all again.
    const { shown, writing } = this.#questions.panel;
    const what = lines.length === 0 ? '' : `${shown ?? lines.join()} ${writing?.option ?? ''}`;
    if (what === this.#asked) return;
    this.#asked = what;
    this.#context.output.print(...lines);
  }
}
