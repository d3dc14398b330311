import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import { press, type QuestionPanel } from '../ask/question-panel.ts';
import { suspendJob } from '../ask/job-control.ts';
import type { Press } from '../ask/key.ts';
import { Keyboard } from '../ask/keyboard.ts';
import type { InStream, OutStream } from '../../ports/terminal.ts';
import { OpenQuestions, type OpenQuestionsOptions } from './open-questions.ts';

const bell = '\u0007';

export interface LiveQuestionsOptions extends Omit<OpenQuestionsOptions, 'onNew'> {
  input: InStream;
  output: OutStream;
  /** After a key that was neither of the two below. */
  onKey: () => void;
  onInterrupt: () => void;
  /** The terminal is somebody else's for a while, or ours again. */
  onSuspend: (suspended: boolean) => void;
}

/** The open questions of a task at a terminal whose every key is ours. */
export class LiveQuestions {
  readonly #options: LiveQuestionsOptions;
  readonly #keyboard: Keyboard;
  readonly #questions: OpenQuestions;

  constructor(options: LiveQuestionsOptions) {
    this.#options = options;
    this.#questions = new OpenQuestions({ ...options, onNew: () => options.output.write(bell) });
    this.#keyboard = new Keyboard(options, (pressed) => this.#press(pressed));
    this.#keyboard.hold();
  }

  get panel(): QuestionPanel {
    return this.#questions.panel;
  }

  status(status: StatusView): void {
    this.#questions.status(status);
  }

  event(event: EventOfTask): void {
    this.#questions.event(event);
  }

  async close(): Promise<void> {
    this.#keyboard.release();
    await this.#questions.close();
  }

  #press(pressed: Press): void {
    const { action } = this.#questions.take((panel) => press(panel, pressed, Date.now()));
    if (action === 'interrupt') this.#interrupt();
    else if (action === 'suspend') this.#suspend();
    else this.#options.onKey();
  }

  /** From now on Ctrl-C is a signal: a second one always ends the process. */
  #interrupt(): void {
    this.#keyboard.release();
    this.#options.onInterrupt();
  }

  #suspend(): void {
    this.#keyboard.release();
    this.#options.onSuspend(true);
    suspendJob(() => {
      this.#keyboard.hold();
      this.#options.onSuspend(false);
    });
  }
}
