import { z } from 'zod';
import { readOnlyTools, toolNames } from '../../../domain/executors/agent.ts';
import { describeConfig } from '../../config/describe-config.ts';
import { showFolderConfig } from '../../config/show-folder-config.ts';
import { checkModels } from '../../models/check-models.ts';
import { describeModels } from '../../models/describe-models.ts';
import { listModels } from '../../models/list-models.ts';
import { describeChecks } from '../../system/describe-checks.ts';
import { countTasks } from '../../system/task-figures.ts';
import { listWorkers } from '../../system/list-workers.ts';
import { checkReady, lookAtServer } from '../../system/look-at-system.ts';
import { config, doctor, models, ready, slo, system, tools } from '../../wire/machine.ts';
import { none, route, type Route } from '../route.ts';
import { folderPorts } from '../workspace.ts';

const ofFolder = z.strictObject({ workspace: z.string().min(1).max(4_096).optional() });

/** The same as a body. */
const inFolder = z.strictObject(ofFolder.shape);

/** Routes about models, tools and the config of a folder. */
const configRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/models',
    role: 'viewer',
    summary: 'Lists the models of a folder, and the one that serves each role at each tier.',
    query: ofFolder,
    body: none,
    answers: [{ status: 200, description: 'Models and routes, without keys.', schema: models }],
    errors: ['WORKSPACE_NOT_ALLOWED', 'CONFIG_INVALID'],
    async run({ parts, query: { workspace } }) {
      const { models: listed } = await listModels(await folderPorts(parts, workspace), []);
      return { json: describeModels(listed) };
    },
  }),
  route({
    method: 'POST',
    path: '/models/check',
    role: 'operator',
    summary: 'Sends each model of a folder a one-word request.',
    query: none,
    body: inFolder,
    answers: [{ status: 200, description: 'The models with what came of it.', schema: models }],
    errors: ['WORKSPACE_NOT_ALLOWED', 'CONFIG_INVALID'],
    async run({ parts, body: { workspace } }) {
      const { models: listed } = await listModels(await folderPorts(parts, workspace), []);
      return { json: describeModels(listed, await checkModels(parts.ports, listed)) };
    },
  }),
  route({
    method: 'GET',
    path: '/tools',
    role: 'viewer',
    summary: 'Lists the tools that agents may be given.',
    query: ofFolder,
    body: none,
    answers: [{ status: 200, description: 'The tools.', schema: tools }],
    errors: [],
    run: () => ({ json: { tools: toolNames.map(describeTool) } }),
  }),
  route({
    method: 'GET',
    path: '/config',
    role: 'viewer',
    summary: 'Lists each value of a folder’s config and where it came from.',
    query: ofFolder,
    body: none,
    answers: [{ status: 200, description: 'Files and values; secrets are hidden.', schema: config }],
    errors: ['WORKSPACE_NOT_ALLOWED', 'CONFIG_INVALID'],
    run: async ({ parts, query: { workspace } }) => ({
      json: describeConfig(await showFolderConfig(await folderPorts(parts, workspace), [])),
    }),
  }),
];

const describeTool = (name: (typeof toolNames)[number]) => ({
  name,
  source: 'built-in' as const,
  readOnly: (readOnlyTools as readonly string[]).includes(name),
});

/** Routes about this process, its home and its server. */
const systemRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/health/ready',
    role: 'viewer',
    summary: 'Says whether the server could take work: Temporal answers, and a worker polls.',
    query: none,
    body: none,
    answers: [
      { status: 200, description: 'It could.', schema: ready },
      { status: 503, description: 'It could not.', schema: ready },
    ],
    errors: [],
    async run({ parts }) {
      const json = await checkReady(() => parts.endpoint());
      return { status: json.ok ? 200 : 503, json };
    },
  }),
  route({
    method: 'GET',
    path: '/system',
    role: 'viewer',
    summary: 'Reads about the program, its server, its home, its workers and its models.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The facts.', schema: system }],
    errors: [],
    async run({ parts }) {
      const { home } = parts;
      const { version, startedAt } = home;
      const seen = await lookAtServer(() => parts.endpoint());
      // A config that cannot be read is told by `/config`; the rest is worth seeing without it.
      const listed = await listModels(await folderPorts(parts, undefined), []).catch(() => undefined);
      return {
        json: {
          ...{ version, startedAt, node: process.versions.node },
          ...seen,
          home: { freeBytes: await home.freeBytes() },
          models: listed === undefined ? null : describeModels(listed.models),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/slo',
    role: 'viewer',
    summary: 'Reads figures of the last five minutes of this process beside their aims.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'The figures.', schema: slo }],
    errors: [],
    async run({ parts, shared }) {
      const { client } = await parts.endpoint();
      const { requests, eventLag } = shared.meters;
      return {
        json: {
          ...(await countTasks(client, Date.now())),
          workers: await listWorkers(client),
          requests: { p95Ms: requests.p95(), aimMs: 200 },
          events: { lagP95Ms: eventLag.p95(), aimMs: 500 },
          streams: shared.limits.streams.count,
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/doctor',
    role: 'operator',
    summary: 'Checks the machine, as `heddle doctor` does.',
    query: none,
    body: none,
    answers: [{ status: 200, description: 'Each check.', schema: doctor }],
    errors: [],
    run: async ({ parts }) => ({ json: describeChecks(await parts.ports.doctor()) }),
  }),
];

export const machineRoutes: readonly Route[] = [...configRoutes, ...systemRoutes];
