// Requests that nobody would send: every route answers each with a documented refusal, and none with an error of its own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildId, listRefusals } from '../../../client/http/openapi.ts';
import { allRoutes } from '../../../client/http/routes/all-routes.ts';
import { errorCodes, isErrorCode } from '../../../domain/errors/error-codes.ts';
import { useApi } from '../../support/api/api-rig.ts';
import { useRig } from '../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

const runs = Number(process.env['HEDDLE_FUZZ_RUNS'] ?? 15);

/** Looks at the whole machine, which takes its time. */
const slow = new Set(['GET /doctor']);

const nasty = fc.oneof(
  fc.constantFrom(
    'latest',
    '..',
    '.',
    '%00',
    '\u0000',
    "it's",
    'a/b',
    '-1',
    '0',
    '1e9',
    '🜁'.repeat(70),
    'x'.repeat(300),
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
);

/** Any value, with now and then a key that a route knows. */
const body = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.dictionary(fc.constantFrom(...knownKeys()), fc.oneof(fc.jsonValue(), nasty), { maxKeys: 4 }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);

function knownKeys(): string[] {
  const names = [
    'plan',
    'id',
    'option',
    'value',
    'text',
    'reason',
    'answers',
    'subtask',
    'dryRun',
    'from',
    'rung',
    'hint',
  ];
  return [...names, 'workspace', 'token', 'code', 'scope', 'delivery', '__proto__'];
}

const query = fc.dictionary(
  fc.oneof(fc.constantFrom('state', 'limit', 'cursor', 'since', 'after', 'form', 'kind', 'text', 'workspace'), nasty),
  nasty,
  { maxKeys: 2 },
);

let count = 0;

test.each(allRoutes.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s',
  async (name, row) => {
    const documented = new Set<string>(listRefusals(row));
    const property = fc.asyncProperty(
      fc.array(nasty, { minLength: 3, maxLength: 3 }),
      query,
      fc.option(body, { nil: undefined }),
      async (parts, fields, sent) => {
        const path = row.path.replace(/\{\w+\}/g, () => safe(parts.shift() ?? 'x'));
        const search = Object.entries(fields).map(([key, value]) => `${safe(key)}=${safe(value)}`);
        // A stream that is opened would stay open.
        const url = `${path}?${[...search, ...(name.endsWith('stream') ? ['nope=1'] : [])].join('&')}`;
        const answer = await api.ask(row.method, url, {
          as: `operator-${buildId(row)}-${(count += 1)}`,
          ...(row.method === 'GET' ? {} : { body: JSON.stringify(sent) }),
          from: `127.1.${allRoutes.indexOf(row)}.${(count % 250) + 1}`,
        });
        if (answer.status < 400) return;
        const { code } = (answer.json as { error: { code: string } }).error;
        expect([url, answer.text, isErrorCode(code) && errorCodes[code].http]).toEqual([
          url,
          answer.text,
          answer.status,
        ]);
        // A segment that is a dot or empty is another address.
        if (code !== 'ROUTE_NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED') expect([...documented]).toContain(code);
        expect(answer.status, answer.text).toBeLessThan(500);
      },
    );
    await fc.assert(property, { numRuns: slow.has(name) ? 2 : runs });
    expect(api.bugs).toEqual([]);
  },
  600_000,
);

/** Lone surrogates have no form in an address. */
const safe = (text: string): string => encodeURIComponent(text.toWellFormed());
