import { z } from 'zod';
import { errorCodes, type ErrorCode } from '../../domain/errors/error-codes.ts';
import * as decisions from '../wire/decision.ts';
import * as logs from '../wire/log.ts';
import * as machine from '../wire/machine.ts';
import * as outcomes from '../wire/outcomes.ts';
import * as requests from '../wire/requests.ts';
import * as problems from '../wire/problem.ts';
import * as projects from '../wire/project.ts';
import * as sessions from '../wire/session.ts';
import * as tasks from '../wire/task.ts';
import * as work from '../wire/work.ts';
import { apiBase } from './api-base.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** Every schema of the wire by the name that it has in the code. */
const wire: Readonly<Record<string, unknown>> = {
  ...decisions,
  ...logs,
  ...machine,
  ...problems,
  ...outcomes,
  ...projects,
  ...requests,
  ...sessions,
  ...tasks,
  ...work,
};

/** Refusals that every route has. */
const common: readonly ErrorCode[] = ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'REQUEST_INVALID', 'INTERNAL'];
const ofPeople: readonly ErrorCode[] = ['RATE_LIMITED', 'AUTH_REQUIRED'];
const ofServer: readonly ErrorCode[] = ['TEMPORAL_UNREACHABLE', 'TEMPORAL_REFUSED'];
const ofBodies: readonly ErrorCode[] = ['BODY_TYPE', 'BODY_TOO_LARGE', 'BODY_MALFORMED'];

/** The OpenAPI 3.1 document of a table of routes. */
export function describeApi(routes: readonly Route[], version: string): Json {
  const schemas = nameSchemas(routes);
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    const operations = (paths[`${apiBase}${row.path}`] ??= {});
    operations[row.method.toLowerCase()] = describeRoute(row, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heddle',
      version,
      description: 'Agent tasks: start them, look at them, answer their questions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: '`hdl_` and 43 characters.' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-heddle', description: 'The session of the console.' },
      },
    },
  };
}

interface NamedSchemas {
  components: Json;
  nameOf: ReadonlyMap<z.ZodType, string>;
}

/** A schema of a route that is none of the wire is named after the route. */
function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const nameOf = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries(wire))
    if (schema instanceof z.ZodType && !nameOf.has(schema)) nameOf.set(schema, capital(name));
  for (const row of routes) {
    if (hasFields(row.body)) addName(nameOf, row.body, `${buildId(row)}Body`);
    if (hasFields(row.query)) addName(nameOf, row.query, `${buildId(row)}Query`);
    for (const { schema } of row.answers) if (schema !== undefined) addName(nameOf, schema, `${buildId(row)}Answer`);
  }
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of nameOf) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: refTo });
  const components = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
  return { components, nameOf };
}

const refTo = (name: string): string => `#/components/schemas/${name}`;

function addName(nameOf: Map<z.ZodType, string>, schema: z.ZodType, name: string): void {
  if (!nameOf.has(schema)) nameOf.set(schema, capital(name));
}

/** Inside of a document a schema has no address of its own. */
function plain(schema: object): Json {
  const { $schema: _, $id: _id, ...rest } = schema as Json;
  return rest;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const hasFields = (schema: z.ZodType): boolean =>
  !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;

/** `getTasksByTEvents`: unique, as method and path are. */
export const buildId = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9{}]+/)
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1, -1))}` : capital(part)))
    .join('');

function describeRoute(row: Route, schemas: NamedSchemas): Json {
  const open = row.role === 'open';
  return {
    operationId: buildId(row),
    summary: row.summary,
    description: open ? 'For everybody.' : `For a ${row.role}.`,
    ...(open ? { security: [] } : { security: [{ token: [] }, { session: [] }] }),
    parameters: [...describePath(row), ...describeQuery(row, schemas), ...describeHeaders(row)],
    ...(hasFields(row.body)
      ? { requestBody: { content: { 'application/json': { schema: refOf(row.body, schemas) } } } }
      : {}),
    responses: { ...describeAnswers(row, schemas), ...describeRefusals(row) },
  };
}

const describePath = ({ path }: Route): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function describeQuery({ query }: Route, { components, nameOf }: NamedSchemas): Json[] {
  if (!hasFields(query)) return [];
  const schema = components[nameOf.get(query) ?? ''] as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, each]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: each,
  }));
}

const describeHeaders = ({ headers = [] }: Route): Json[] =>
  headers.map(({ name, description }) => ({ name, in: 'header', description, schema: { type: 'string' } }));

const refOf = (schema: z.ZodType, { nameOf }: NamedSchemas): Json => ({ $ref: refTo(nameOf.get(schema) ?? '') });

function describeAnswers({ answers }: Route, schemas: NamedSchemas): Json {
  return Object.fromEntries(
    answers.map(({ status, description, schema, types = [] }) => {
      const json = schema === undefined ? {} : { 'application/json': { schema: refOf(schema, schemas) } };
      const others = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
      const content = { ...json, ...others };
      return [String(status), { description, ...(Object.keys(content).length === 0 ? {} : { content }) }];
    }),
  );
}

/** Every code with which a route may refuse. */
export function listRefusals(row: Route): ErrorCode[] {
  return [
    ...common,
    ...(row.role === 'open' ? [] : [...ofPeople, ...ofServer]),
    ...(row.role === 'open' || row.role === 'viewer' ? [] : ['ROLE_TOO_LOW' as const]),
    ...(row.method === 'GET' ? [] : ofBodies),
    ...row.errors,
  ];
}

function describeRefusals(row: Route): Json {
  const taken = new Set(row.answers.map(({ status }): number => status));
  const byStatus = Map.groupBy(listRefusals(row), (code) => errorCodes[code].http);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !taken.has(status))
      .map(([status, codes]) => [
        String(status),
        {
          description: [...new Set(codes)].map((code) => `\`${code}\``).join(', '),
          content: { 'application/json': { schema: { $ref: refTo('Refusal') } } },
        },
      ]),
  );
}
