import { computed, signal } from '@preact/signals';
import { at, get } from '../api/call.ts';
import type { Card, InboxItem, Paged, SilentTask, TaskRow } from '../api/wire.ts';

/** The questions of all tasks and the tasks themselves, as the newest message has them. */
const questions = signal<ReadonlyMap<string, InboxItem>>(new Map());
const rows = signal<ReadonlyMap<string, TaskRow>>(new Map());

/** False until the first answer: an empty inbox must not be shown before. */
export const boardReady = signal(false);
/** Tasks that did not answer when their questions were read. */
export const silentTasks = signal<SilentTask[]>([]);

export const keyOf = ({ taskId, id }: { taskId: string; id: string }): string => `${taskId}/${id}`;

export const inbox = computed(() =>
  [...questions.value.values()].toSorted((a, b) => Date.parse(a.openedAt) - Date.parse(b.openedAt)),
);
export const openTasks = computed(() => [...rows.value.values()].filter(({ endedAt }) => endedAt === null));
export const taskRows = computed(() => rows.value);
export const projectOf = (task: string): string | null => rows.value.get(task)?.project ?? null;

/** Whole cards of open questions, for the lines of the inbox; read when the set of questions changes. */
export const cards = signal<ReadonlyMap<string, Card>>(new Map());

export interface InboxMessage {
  items: InboxItem[];
  /** Questions that are open no more. */
  ['gone']?: { taskId: string; id: string }[];
}

export interface TasksMessage {
  items: TaskRow[];
  ['gone']?: string[];
}

/** The first message of a connection replaces what was there; later ones change it. */
export function takeInbox({ items, gone = [] }: InboxMessage, whole: boolean): void {
  const next = new Map(whole ? [] : questions.value);
  for (const item of items) next.set(keyOf(item), item);
  for (const item of gone) next.delete(keyOf(item));
  questions.value = next;
  boardReady.value = true;
  if ([...next.keys()].some((key) => !cards.value.has(key))) readCardsSoon();
}

/** The question is answered: it leaves the list before the server says so. */
export function dropQuestion(key: string): void {
  const next = new Map(questions.value);
  next.delete(key);
  questions.value = next;
}

export function takeTasks({ items, gone = [] }: TasksMessage, whole: boolean): void {
  const next = new Map(whole ? [] : rows.value);
  for (const item of items) next.set(item.id, item);
  for (const id of gone) next.delete(id);
  rows.value = next;
}

const pauseMs = 250;
let reading: ReturnType<typeof setTimeout> | undefined;

function readCardsSoon(): void {
  reading ??= setTimeout(() => {
    reading = undefined;
    void readDecisions().catch(() => undefined);
  }, pauseMs);
}

async function readDecisions(): Promise<Card[]> {
  const { items, silent } = await get<{ items: Card[]; silent: SilentTask[] }>('/decisions');
  cards.value = new Map(items.map((card) => [keyOf(card), card]));
  silentTasks.value = silent;
  return items;
}

/** For a tab without a stream: the same facts by questions. */
export async function pollBoard(): Promise<void> {
  const [open, { items }] = await Promise.all([readDecisions(), get<Paged<TaskRow>>('/tasks?state=open&limit=100')]);
  takeInbox({ items: open }, true);
  takeTasks({ items }, true);
}

export const readCard = (task: string, decision: string, signal?: AbortSignal): Promise<Card> =>
  get<Card>(`/tasks${at(task)}/decisions${at(decision)}`, signal);
