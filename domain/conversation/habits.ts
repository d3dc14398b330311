import * as z from 'zod';
import { buildSignature } from '../failure/signature.ts';
import { clip, oneLine } from '../text/text.ts';
import type { LoggedResult, LogEntry } from './entry.ts';
import { listToolCalls, type ToolCall } from './turn.ts';

/** Errors of one kind from which on the result advises a different approach. */
const errorsUntilAdvice = 3;
/** Open todos that are listed after tool results. */
const mostTodos = 5;
const longestTodo = 80;

const todoInput = z.object({ items: z.array(z.object({ text: z.string(), done: z.boolean() })) });

/** Repetitions of an agent and its open todos, counted over the whole attempt. */
export class Habits {
  /** Turns in a row without a usable reply. */
  malformed = 0;
  /** How often it was reminded to report. */
  reportReminders = 0;
  /** Repetitions of the last batch in a row. */
  batchTimes = 0;
  #batch = '';
  #todos: string[] = [];
  readonly #errors = new Map<string, number>();

  take(entry: LogEntry): void {
    if (entry.k === 'result') this.#countError(entry);
    if (entry.k !== 'turn') return;
    const { answers, remarks } = entry.heard;
    for (const answer of answers) this.#countError(answer);
    const wasMalformed = remarks.some(({ kind }) => kind === 'format');
    this.malformed = wasMalformed ? this.malformed + 1 : 0;
    this.reportReminders += remarks.filter(({ kind }) => kind === 'report').length;
    const calls = listToolCalls(entry.n, entry.parts);
    const batch = batchKey(calls);
    this.batchTimes = batch === this.#batch && calls.length > 0 ? this.batchTimes + 1 : 1;
    this.#batch = batch;
    for (const call of calls) this.#keepTodos(call);
  }

  /** The open todos as a short list; empty when there are none. */
  get todos(): string {
    if (this.#todos.length === 0) return '';
    const more = this.#todos.length - mostTodos;
    const shown = this.#todos.slice(0, mostTodos).map((text) => `- ${clip(oneLine(text), longestTodo)}`);
    return ['Your open todos:', ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
  }

  /** Returns true when this error, with earlier ones of its kind and those `beside` it in this batch, is one too many. */
  needsAdvice(answer: LoggedResult, beside: readonly LoggedResult[]): boolean {
    const kind = errorSignature(answer);
    const now = beside.filter((other) => other.isError && errorSignature(other) === kind).length;
    return (this.#errors.get(kind) ?? 0) + now + 1 >= errorsUntilAdvice;
  }

  #countError(answer: Pick<LoggedResult, 'tool' | 'text' | 'isError'>): void {
    if (!answer.isError) return;
    const kind = errorSignature(answer);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  #keepTodos({ tool, input }: ToolCall): void {
    if (tool !== 'todo') return;
    const given = readTodos(input);
    if (given !== undefined) this.#todos = given.filter(({ done }) => !done).map(({ text }) => text);
  }
}

/** Advice is part of the text that it was given with; without this an advised error would count as another kind. */
const errorSignature = ({ tool, text }: Pick<LoggedResult, 'tool' | 'text'>): string =>
  buildSignature('tool-failed', `${tool}: ${text.split(adviceMark)[0] ?? ''}`);

const adviceMark = '\n\nThis kind of error has come up';

export const addAdvice = (text: string): string =>
  `${text}${adviceMark} three times or more. Do not try it again in a slightly different form: try a different approach, or report what prevents it.`;

const batchKey = (calls: readonly ToolCall[]): string =>
  JSON.stringify(calls.map(({ tool, input }) => [tool, input.trim()]));

export function readTodos(input: string): z.infer<typeof todoInput>['items'] | undefined {
  try {
    return todoInput.safeParse(JSON.parse(input)).data?.items;
  } catch {
    return undefined;
  }
}
