import { z } from 'zod';
import { listPage } from '../../tasks/list-page.ts';
import { lookAtTask } from '../../tasks/look-at-task.ts';
import { filterStates } from '../../tasks/task-filter.ts';
import { attemptPage, eventPage } from '../../wire/log.ts';
import { task, taskPage } from '../../wire/task.ts';
import { flag, numberUpTo, someName, wholeNumber } from '../fields.ts';
import { linksOfTask } from '../links.ts';
import { readCursor, writeCursor } from '../page-cursor.ts';
import { none, route, type Route } from '../route.ts';
import { findTask, silentTask } from './find-task.ts';
import { readAttemptPage, readEventPage } from './log-pages.ts';

const states = z
  .string()
  .describe(`of ${filterStates.join(', ')}, several by comma`)
  .transform((text) => text.split(','))
  .refine((names) => names.every((name) => filterStates.includes(name)), `of ${filterStates.join(', ')}, by comma`);

/** Routes that list tasks and read one. */
export const taskRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/tasks',
    role: 'viewer',
    summary: 'Lists tasks page by page, open ones first, then the newest.',
    query: z.strictObject({
      state: states.optional(),
      project: someName.optional(),
      waiting: flag.optional(),
      trouble: flag.optional(),
      text: someName.optional(),
      limit: numberUpTo(100).optional(),
      cursor: z.string().max(4_000).describe('`next` of the page before').optional(),
    }),
    body: none,
    answers: [{ status: 200, description: 'A page.', schema: taskPage }],
    errors: ['CURSOR_INVALID'],
    async run({ parts, query: { limit = 50, cursor, state, ...filter } }) {
      const { secret } = parts.home;
      const bound = { ...filter, state };
      const from = cursor === undefined ? null : readCursor(secret, bound, cursor);
      const { client } = await parts.endpoint();
      const { items, next } = await listPage(client, { ...filter, states: state, limit, from });
      return { json: { items, next: next === null ? null : writeCursor(secret, bound, next) } };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}',
    role: 'viewer',
    summary: 'Reads the status of a task, with what its attempts print now.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The task.', schema: task }],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { endpoint, handle } = await findTask(call);
      const seen = await lookAtTask(endpoint.client, handle);
      if ('problem' in seen) throw silentTask(seen.problem, seen.listing);
      const { status, by, activity } = seen;
      return { json: { ...status, links: linksOfTask(call.parts, endpoint, status.id), by, activity } };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/events',
    role: 'viewer',
    summary: 'Reads the numbered events of a task behind a number.',
    query: z.strictObject({
      since: wholeNumber.optional(),
      subtask: someName.optional(),
      limit: numberUpTo(1_000).optional(),
    }),
    body: none,
    answers: [{ status: 200, description: 'A page; `next` is null at the end of what there is.', schema: eventPage }],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { handle } = await findTask(call);
      return { json: await readEventPage(handle, call.query) };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/attempts',
    role: 'viewer',
    summary: 'Reads the attempts of a task behind a position.',
    query: z.strictObject({
      after: wholeNumber.optional(),
      subtask: someName.optional(),
      limit: numberUpTo(1_000).optional(),
    }),
    body: none,
    answers: [{ status: 200, description: 'A page; `next` is null at the end of what there is.', schema: attemptPage }],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { handle } = await findTask(call);
      return { json: await readAttemptPage(handle, call.query) };
    },
  }),
];
