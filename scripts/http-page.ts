// docs/http-api.md as the table of routes and their schemas say it. `npm run api-docs` writes it.
import { describeApi, listRefusals } from '../client/http/openapi.ts';
import { allRoutes } from '../client/http/routes/all-routes.ts';
import { errorCodes } from '../domain/errors/error-codes.ts';

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
}

interface Operation {
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

const document = describeApi(allRoutes, '') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const intro = [
  '# HTTP API',
  '',
  'The API starts tasks, reads them, answers their questions and directs them. `heddle up` and `heddle serve` serve it below',
  '`/api/v1`, on the loopback address. `npm run api-docs` makes this page from the table of routes;',
  '`/api/v1/openapi.json` is the same as an OpenAPI 3.1 document.',
  '',
  '## First request',
  '',
  'A token names you and your role. `heddle auth token add NAME --role viewer` prints one, once.',
  '',
  '```sh',
  'curl -H "Authorization: Bearer $HEDDLE_TOKEN" http://127.0.0.1:7880/api/v1/tasks',
  '```',
  '',
  'Whatever you do by HTTP is told under the name of your token.',
  '',
  '## Rules',
  '',
  '- A viewer looks. A decider answers questions and steers. An operator starts and ends tasks. Each role includes the one before.',
  '- Bodies are JSON or YAML, with `Content-Type`. Unknown keys in bodies and queries are refused.',
  '- Answers are JSON, with `Cache-Control: no-store`. Times are ISO 8601 in UTC.',
  '- A refusal is `{"error": {"code", "message", "where", "hint"}}`. [Errors by code](errors.md) explains each code.',
  '- A request with the same `Idempotency-Key` gets the first answer again, also after a crash of the server.',
  '- A page of the list has `next`: send it as `cursor`, with the same filter, for the page behind it.',
  '- A name has 20 requests and 5 changes a second, and 20 streams. A body has 16 KB, with a plan 1 MB.',
  '- `latest` stands for the newest task in every `GET`.',
  '- A plan needs an absolute `workspace`. The environment of the server gives a task nothing: neither variables nor trust.',
  '- Other origins are refused, and so are other hosts. A reverse proxy needs its name in `publicUrl` of `[server]`.',
  '',
  'A request is refused for the first of these that holds: host, origin, rate, token, route, method, role, type of the body,',
  'its size, its form, its fields. What the task says comes last.',
];

const roleOf = (role: string): string => (role === 'open' ? 'everybody' : role);

function overview(): string[] {
  return [
    '',
    '## Routes',
    '',
    '| Route | Role | What it does |',
    '| --- | --- | --- |',
    ...allRoutes.map(
      ({ method, path, role, summary }) =>
        `| [\`${method} ${path}\`](#${anchorOf(`${method} ${path}`)}) | ${roleOf(role)} | ${summary} |`,
    ),
  ];
}

/** As hosts of Markdown pages build it from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

function routePart(row: (typeof allRoutes)[number]): string[] {
  const { method, path, role, summary, answers } = row;
  const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  const parameters = operation.parameters.filter((each) => each.in !== 'path');
  const body = operation.requestBody?.content['application/json'].schema;
  const refusals = [...new Set(listRefusals(row))].filter((code) => row.errors.includes(code));
  return [
    '',
    `### \`${method} ${path}\``,
    '',
    `${summary} Role: ${roleOf(role)}.`,
    ...(parameters.length === 0
      ? []
      : [
          '',
          ...parameters.map(
            (each) =>
              `- ${each.in} \`${each.name}\`: ${each.description ?? each.schema.description ?? formatType(each.schema)}`,
          ),
        ]),
    ...(body === undefined ? [] : ['', `Body: ${formatType(body)}.`]),
    '',
    ...answers.map(({ status, description, types = [] }) => {
      const schema = operation.responses[String(status)]?.content?.['application/json']?.schema;
      const forms = [...(schema === undefined ? [] : [formatType(schema)]), ...types.map((type) => `\`${type}\``)];
      return `- ${status}: ${description}${forms.length === 0 ? '' : ` As ${forms.join(', ')}.`}`;
    }),
    ...(refusals.length === 0
      ? []
      : [`- refused with ${refusals.map((code) => `\`${code}\` (${errorCodes[code].http})`).join(', ')}`]),
  ];
}

function schemaPart([name, schema]: [string, Schema]): string[] {
  const { properties } = schema;
  return [
    '',
    `### ${name}`,
    '',
    ...(properties === undefined
      ? [`${name} is ${formatType(schema)}.`]
      : [
          '| Field | Form |',
          '| --- | --- |',
          ...Object.entries(properties).map(([field, form]) => {
            const isOptional = schema.required?.includes(field) !== true;
            return `| \`${field}\`${isOptional ? ' (optional)' : ''} | ${formatType(form)} |`;
          }),
        ]),
  ];
}

function formatType(schema: Schema): string {
  const { $ref, type, anyOf, allOf, items, properties, additionalProperties, required = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](#${anchorOf(name)})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined)
    return schema.enum.length > 20 ? 'a code' : schema.enum.map((each) => `\`${String(each)}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(formatType).join(' or ');
  if (allOf !== undefined) return allOf.map(formatType).join(' and ');
  if (items !== undefined) return `list of ${formatType(items)}`;
  if (properties !== undefined)
    return `{ ${Object.keys(properties)
      .map((field) => `\`${field}\`${required.includes(field) ? '' : '?'}`)
      .join(', ')} }`;
  if (typeof additionalProperties === 'object') return `object with values: ${formatType(additionalProperties)}`;
  return typeof type === 'string' ? type : 'anything';
}

/** The components that a reader meets in a route, or in one of those. */
function usedSchemas(): [string, Schema][] {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith('Query') && !name.startsWith('__'))
    .sort(([a], [b]) => a.localeCompare(b));
}

/** The whole page. */
export const httpPage = (): string =>
  [
    ...intro,
    ...overview(),
    '',
    '## Route by route',
    ...allRoutes.flatMap(routePart),
    '',
    '## Schemas',
    ...usedSchemas().flatMap(schemaPart),
    '',
  ].join('\n');
