import { HeddleError, type Problem } from '../../../domain/errors/heddle-error.ts';
import type { DecisionAnswer } from '../../../domain/types/decision.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';
import { emptyPanel, takeBack, takeOpen, type QuestionPanel, type KeyAction } from '../ask/question-panel.ts';

export interface OpenQuestionsOptions {
  send: (answer: DecisionAnswer) => Promise<unknown>;
  /** After something changed that no call asked for. */
  onChange: () => void;
  /** Called with what became of a question, or why an answer was not taken. */
  onMessage: (message: string | Problem) => void;
  /** A question that was not there before. */
  onNew?: () => void;
}

/** The open questions of a task before a person: follows what becomes of them, and sends the answers. */
export class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  /** Questions that were shown here and are not yet known to be over. */
  readonly #seen = new Set<string>();
  readonly #over = new Set<string>();
  /** Questions that are gone by the status, with the event up to which it knows: the event that says why comes first. */
  readonly #vanished = new Map<string, number>();
  readonly #sending = new Set<Promise<unknown>>();
  #panel: QuestionPanel = emptyPanel;
  #lastEvent = 0;

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  get panel(): QuestionPanel {
    return this.#panel;
  }

  status({ decisions, lastEventId }: StatusView): void {
    const open = decisions.filter(({ id }) => !this.#over.has(id));
    const isNew = open.filter(({ id }) => !this.#seen.has(id));
    const ids = new Set(decisions.map(({ id }) => id));
    for (const id of this.#seen) if (!ids.has(id)) this.#vanished.set(id, lastEventId);
    for (const { id } of isNew) this.#seen.add(id);
    if (isNew.length > 0) this.#options.onNew?.();
    this.#panel = takeOpen(this.#panel, open, Date.now());
    this.#reportVanished();
  }

  event(event: EventOfTask): void {
    this.#lastEvent = event.id;
    if (event.type === 'decision.answered') this.#takeAnswered(event.decisionId, event.text);
    this.#reportVanished();
  }

  /** Lets a person's key or line change the panel, and does what it asks for; what else it asks for is returned. */
  take<Outcome extends { panel: QuestionPanel; action?: KeyAction }>(
    change: (panel: QuestionPanel) => Outcome,
  ): Outcome {
    const outcome = change(this.#panel);
    this.#panel = outcome.panel;
    if (typeof outcome.action === 'object') this.#send(outcome.action.answer);
    return outcome;
  }

  /** Answers that are on their way arrive. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #takeAnswered(id: string, text: string): void {
    this.#over.add(id);
    if (!this.#forget(id)) return;
    this.#options.onMessage(text);
    const open = this.#panel.open.filter((decision) => decision.id !== id);
    this.#panel = takeOpen(this.#panel, open, Date.now());
  }

  #reportVanished(): void {
    for (const [id, upTo] of this.#vanished)
      if (this.#lastEvent >= upTo && this.#forget(id)) this.#options.onMessage(`${id} is no longer open.`);
  }

  #forget(id: string): boolean {
    this.#vanished.delete(id);
    return this.#seen.delete(id);
  }

  #send(answer: DecisionAnswer): void {
    const sending: Promise<unknown> = this.#options
      .send(answer)
      .catch((error: unknown) => this.#takeRefused(answer, error))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Somebody may have answered in the meantime: that is no reason to stop watching. */
  #takeRefused({ decisionId }: DecisionAnswer, error: unknown): void {
    const problem: Problem =
      error instanceof HeddleError ? error.toJSON() : { code: 'INTERNAL', message: String(error) };
    this.#options.onMessage(problem);
    if (!closing.has(problem.code)) this.#panel = takeBack(this.#panel, decisionId, Date.now());
    this.#options.onChange();
  }
}

/** Refusals after which there is nothing to be asked again. */
const closing: ReadonlySet<string> = new Set(['DECISION_ALREADY_ANSWERED', 'DECISION_NOT_FOUND', 'TASK_ENDED']);
