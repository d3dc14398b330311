import { z } from 'zod';
import { stringify } from 'yaml';
import { describeEvidence, loadPages } from '../../evidence/load-evidence.ts';
import { checkSubtask } from '../../start/check-subtask.ts';
import { readDefinitions } from '../../start/finished-work.ts';
import { readPlanAsFile } from '../../start/plan-as-file.ts';
import { askToLook } from '../../tasks/ask-to-look.ts';
import { loadReport } from '../../report/load-report.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import { reportPage } from '../../report/page.ts';
import { loadTaskChanges } from '../../report/task-changes.ts';
import { diffTask } from '../../workspace/diff-task.ts';
import { undoTask } from '../../workspace/undo-task.ts';
import { undoRequest } from '../../wire/requests.ts';
import { diff, evidence, plan, planFile, report, undone } from '../../wire/work.ts';
import { chooseType } from '../accept.ts';
import { someName } from '../fields.ts';
import { none, route, type Route } from '../route.ts';
import { findTask } from './find-task.ts';

/** Routes about the work of a task: its plan, its changes, its report, and how to take it back. */
export const workRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/tasks/{t}/plan',
    role: 'viewer',
    summary:
      'Reads the plan that a task follows; with `form=file` as a plan file has it, as YAML or, where it is accepted, JSON.',
    query: z.strictObject({ form: z.literal('file').optional() }),
    body: none,
    answers: [
      { status: 200, description: 'The plan.', schema: z.union([plan, planFile]), types: ['application/yaml'] },
      { status: 204, description: 'There is none yet.' },
    ],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER', 'STORE_MISSING', 'STORE_DAMAGED'],
    async run(call) {
      const { endpoint, handle } = await findTask(call);
      const { ports } = call.parts;
      if (call.query.form === 'file') {
        const file = await askToLook(() => readPlanAsFile(endpoint.client, handle, ports.readStored));
        if (chooseType(call.request, ['application/yaml', 'application/json']) === 'application/json')
          return { json: file };
        return new Response(stringify(file), { headers: { 'content-type': 'application/yaml; charset=utf-8' } });
      }
      const followed = await askToLook(() => handle.plan());
      if (followed === null) return { status: 204 };
      const definitions = await readDefinitions(followed, ports.readStored);
      return { json: { ...followed, subtasks: definitions.length === 0 ? followed.subtasks : definitions } };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/diff',
    role: 'viewer',
    summary: 'Reads the changes of a task or a subtask, as JSON or as a patch.',
    query: z.strictObject({ subtask: someName.optional() }),
    body: none,
    answers: [{ status: 200, description: 'The changes.', schema: diff, types: ['text/x-diff'] }],
    errors: ['TASK_NOT_FOUND', 'SUBTASK_NOT_FOUND', 'SNAPSHOTS_ELSEWHERE', 'SNAPSHOT_FAILED', 'NO_WORKER'],
    async run(call) {
      const { endpoint, handle } = await findTask(call);
      const result = await diffTask(
        { files: call.parts.ports, withClient: (action) => action(endpoint.client), onUnknown: () => undefined },
        { task: handle.id, subtask: call.query.subtask },
      );
      if (chooseType(call.request, ['application/json', 'text/x-diff']) === 'application/json')
        return { json: 'nothing' in result ? result.nothing : result.diff };
      const patch = 'nothing' in result ? '' : Buffer.from(result.patch);
      return new Response(patch, { headers: { 'content-type': 'text/x-diff; charset=utf-8' } });
    },
  }),
  route({
    method: 'POST',
    path: '/tasks/{t}/undo',
    role: 'operator',
    summary: 'Brings the files back to how they were before a task or a subtask changed them.',
    query: none,
    body: undoRequest,
    answers: [
      { status: 200, description: 'The files that were, or with `dryRun` would be, brought back.', schema: undone },
    ],
    errors: [
      ...(['TASK_NOT_FOUND', 'TASK_RUNNING', 'SUBTASK_NOT_FOUND', 'UNDO_CONFLICT', 'UNDO_NOT_COVERED'] as const),
      ...(['SNAPSHOTS_ELSEWHERE', 'SNAPSHOT_FAILED', 'WORKSPACE_BUSY', 'NO_WORKER'] as const),
    ],
    async run(call) {
      const { endpoint, handle } = await findTask(call);
      const { subtask, dryRun = false, force = false } = call.body;
      const done = await undoTask(
        { files: call.parts.ports, withClient: (action) => action(endpoint.client), onUnknown: () => undefined },
        { task: handle.id, subtask },
        { dryRun, force },
      );
      return { json: 'nothing' in done ? { ...done.nothing, dryRun } : done.answer };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/evidence',
    role: 'viewer',
    summary: 'Reads the claims of a task or a subtask with their sources, and the targets without enough records.',
    query: z.strictObject({ subtask: someName.optional() }),
    body: none,
    answers: [{ status: 200, description: 'The evidence.', schema: evidence }],
    errors: ['TASK_NOT_FOUND', 'SUBTASK_NOT_FOUND', 'NO_WORKER', 'STORE_DAMAGED'],
    async run(call) {
      const { handle } = await findTask(call);
      const { subtask } = call.query;
      const status = await askToLook(() => handle.status());
      checkSubtask(status, subtask);
      const { items: attempts } = await askToLook(() => handle.allAttempts());
      const { pages } = await askToLook(() => loadPages(handle, { status, attempts }));
      const own = subtask === undefined ? pages : pages.filter((page) => page.subtask === subtask);
      return { json: describeEvidence(handle.id, own) };
    },
  }),
  route({
    method: 'GET',
    path: '/tasks/{t}/report',
    role: 'viewer',
    summary: 'Reads the figures of a task, as JSON, Markdown or a page.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The report.', schema: report, types: ['text/markdown', 'text/html'] }],
    errors: ['TASK_NOT_FOUND', 'NO_WORKER'],
    async run(call) {
      const { handle } = await findTask(call);
      const loaded = await askToLook(() => loadReport(handle));
      const { status, report: figures } = loaded;
      const changes = await loadTaskChanges(call.parts.ports, figures.id);
      const type = chooseType(call.request, ['application/json', 'text/markdown', 'text/html']);
      if (type === 'application/json')
        return { json: { ...figures, changes: typeof changes === 'string' ? null : changes } };
      const isPage = type === 'text/html';
      const text = isPage
        ? reportPage(figures, status.subtasks, { now: Date.now(), changes })
        : `${reportMarkdown(figures, status.subtasks, changes)}\n`;
      // A page with texts of programs and models has no more rights than a picture.
      return new Response(text, {
        headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': 'sandbox' },
      });
    },
  }),
];
