// The locations of keys in TOML, in every way that TOML can write them.
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { PlanPath } from '../../../domain/input/problem.ts';
import { parseToml } from '../../../domain/input/toml.ts';
import { positionIn } from '../../../domain/input/file-text.ts';
import { writeToml } from '../../../domain/input/toml-write.ts';

const text = `# comment with [brackets] and = signs
a = 1
"b.c" . 'd' = """first
] = [[ "
=""""
[t.u] # table
k = [1, { z = 2, y.q = '}' }, [
  3, # ] not the end
  "a]" ]]
[[list]]
x = 1
[[list]]
x = 2
[list.sub]
q = { }
[[list.inner]]
v = "\\"]" # "
[ spaced . out ]
w = '''it's'''
`;

function at(path: PlanPath, source = text): string | undefined {
  const location = parseToml({ name: 'f', text: source }).locations.find(path);
  if (location === undefined) return undefined;
  const key = positionIn(source, location.key);
  const value = positionIn(source, location.value);
  return `${key.line}:${key.column} ${value.line}:${value.column}`;
}

const locations: [path: PlanPath, where: string][] = [
  [['a'], '2:1 2:5'],
  [['b.c'], '3:1 3:1'],
  [['b.c', 'd'], '3:1 3:15'],
  [['t'], '6:2 6:2'],
  [['t', 'u', 'k'], '7:1 7:5'],
  [['t', 'u', 'k', 0], '7:6 7:6'],
  [['t', 'u', 'k', 1, 'z'], '7:11 7:15'],
  [['t', 'u', 'k', 1, 'y', 'q'], '7:18 7:24'],
  [['t', 'u', 'k', 2, 1], '9:3 9:3'],
  [['list'], '10:3 10:3'],
  [['list', 0, 'x'], '11:1 11:5'],
  [['list', 1], '12:3 12:3'],
  [['list', 1, 'x'], '13:1 13:5'],
  [['list', 1, 'sub', 'q'], '15:1 15:5'],
  [['list', 1, 'inner', 0, 'v'], '17:1 17:5'],
  [['spaced', 'out', 'w'], '19:1 19:5'],
];

describe('the location of a key', () => {
  test.each(locations)('called %j is %s', (path, where) => {
    expect(at(path)).toBe(where);
  });

  test('is that of the nearest table when the key is missing', () => {
    expect(at(['t', 'u', 'missing', 'deeper'])).toBe('6:2 6:2');
    expect(at(['nowhere'])).toBeUndefined();
  });

  test('counts lines with Windows line breaks, and a byte order mark', () => {
    expect(at(['b'], 'a = 1\r\nb = 2\r\n')).toBe('2:1 2:5');
    expect(at(['a'], '\uFEFFa = 1\n')).toBe('1:2 1:6');
  });
});

const key = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/), fc.string({ minLength: 1, maxLength: 6 }));
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('"""'), fc.constant("a ] } # = '"));
const table = fc.letrec<{ value: unknown; table: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, tie('table'), fc.array(leaf, { maxLength: 3 })),
  table: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
})).table;

function* leaves(value: unknown, path: PlanPath): Generator<[PlanPath, unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
  else for (const [name, item] of Object.entries(value)) yield* leaves(item, [...path, name]);
}

const writers: [string, (value: Record<string, unknown>) => string][] = [
  ['tables', (value) => stringify(value)],
  [
    'inline tables',
    (value) =>
      Object.entries(value)
        .map(([name, item]) => `${JSON.stringify(name)} = ${writeToml(item)}\n`)
        .join(''),
  ],
];

describe.each(writers)('any text written as %s', (_name, write) => {
  test('has a location for every value', () => {
    fc.assert(
      fc.property(table, (value) => {
        let source: string;
        let parsed: ReturnType<typeof parseToml>;
        try {
          source = write(value);
          parsed = parseToml({ name: 'f', text: source });
        } catch (error) {
          // Names that JavaScript keeps, lone surrogates: refused, which is another test.
          fc.pre(!(error instanceof HeddleError) && !(error instanceof TypeError));
          throw error;
        }
        for (const [path, item] of leaves(parsed.value, [])) {
          const location = parsed.locations.find(path);
          const written = source.slice(location?.value ?? 0);
          if (typeof item === 'string') expect(written[0]).toMatch(/["']/);
          else expect(written.startsWith(String(item))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
