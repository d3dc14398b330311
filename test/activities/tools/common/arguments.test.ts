// Arguments as a model writes them: read as sent, repaired only when nothing can change, explained when wrong.
import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, test } from 'vitest';
import { createToolRegistry } from '../../../../activities/tools/built-in-tools.ts';
import { readArguments } from '../../../../activities/tools/common/read-arguments.ts';
import { toolNames, webTools } from '../../../../domain/executors/agent.ts';
import { callTool, makeRig, toolOf } from '../files/support.ts';

test.each<[string, string, object]>([
  ['read_file', '{"path":"a"}', { path: 'a' }],
  ['read_file', '```json\n{"path":"a"}\n```', { path: 'a' }],
  ['read_file', "{path: 'a',}", { path: 'a' }],
  ['read_file', '{"path":"a", "from": 2', { path: 'a', from: 2 }],
  ['list_folder', '', {}],
  ['list_folder', '{}', {}],
  ['write_file', '{"path":"a","content":"b"}', { path: 'a', content: 'b' }],
  ['write_file', '```json\n{"path":"a","content":"b"}\n```', { path: 'a', content: 'b' }],
  ['todo', '{"items":[{"text":"a","done":false}]}', { items: [{ text: 'a', done: false }] }],
  [
    'finish',
    '{"status":"success","notes":"n","deliverablesTouched":["a"]}',
    { status: 'success', notes: 'n', deliverablesTouched: ['a'] },
  ],
  ['ask_user', '{"question":"which?","options":["a","b"]}', { question: 'which?', options: ['a', 'b'] }],
])('%s reads %s', (name, input, args) => {
  expect(readArguments(toolOf(name), input)).toEqual({ kind: 'valid', args });
});

test.each<[string, string, string]>([
  ['a text that was cut off', 'write_file', '{"path":"a","content":"half of'],
  ['nearly JSON', 'write_file', "{path: 'a', content: 'b'}"],
  ['words around it', 'write_file', 'I write {"path":"a","content":"b"} now'],
  ['half a character', 'write_file', '{"path":"a","content":"\\ud800"}'],
  ['a cut end', 'finish', '{"status":"success","notes":"all d'],
  ['another name for a key', 'edit_file', '{"path":"a","old":"b","new":"c","replace_all":true}'],
  ['nothing', 'delete_path', ''],
  ['a list', 'delete_path', '["a"]'],
  ['the same key twice', 'delete_path', '{"path":"a","path":"b"}'],
])('%s never changes anything: %s', (_, name, input) => {
  expect(readArguments(toolOf(name), input)).toMatchObject({ kind: 'invalid' });
});

test('what is wrong is said in one paragraph that names the keys', () => {
  expect(readArguments(toolOf('read_file'), '{"file":"a"}')).toEqual({
    kind: 'invalid',
    text: 'read_file was not run. The answer does not fit: path: expected string, received undefined; Unrecognized key: "file". Send one JSON object with path, from (optional) and lines (optional).',
  });
  expect(readArguments(toolOf('write_file'), '{"path":"a","content":"half')).toMatchObject({
    text: 'write_file was not run. The text is not exactly one JSON object, or was cut off. Send one JSON object with path and content.',
  });
});

test('an unknown tool is answered with those that there are', () => {
  expect(createToolRegistry().find('readfile', ['read_file', 'finish'])).toBe(
    'There is no tool of that name. Did you mean read_file? You have read_file and finish.',
  );
  expect(createToolRegistry().find('__proto__', toolNames)).toContain('There is no tool of that name.');
});

test('tools come in the order in which they are sent, each once', () => {
  const registry = createToolRegistry();
  expect(registry.schemas(toolNames).map((tool) => tool.name)).toEqual([...toolNames]);
  expect(registry.schemas(['finish', 'write_file', 'read_file', 'read_file']).map((tool) => tool.name)).toEqual([
    'read_file',
    'write_file',
    'finish',
  ]);
});

test('schemas say what is needed and cost few tokens', () => {
  const schemas = createToolRegistry().schemas(toolNames);
  expect(schemas[0]).toEqual({
    name: 'read_file',
    description: expect.any(String) as string,
    input: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        from: { type: 'integer', description: 'first line, default 1' },
        lines: { type: 'integer', description: 'default 200' },
      },
      required: ['path'],
    },
  });
  // Paid with every call: a word more has to be worth it.
  const withoutWeb = schemas.filter(({ name }) => !webTools.has(name));
  expect(estimateTokenCount(JSON.stringify(withoutWeb))).toBeLessThan(985);
  expect(estimateTokenCount(JSON.stringify(schemas))).toBeLessThan(1_250);
});

const name = fc.constantFrom(...toolNames);
const key = fc.constantFrom(
  'path',
  'content',
  'old',
  'new',
  'all',
  'from',
  'to',
  'lines',
  'pattern',
  'question',
  'status',
  'items',
  'x',
  '__proto__',
);
const value = fc.oneof(
  fc.constantFrom('a', 'b/c', '..', '/', '', '\0', '.git', '(a+)+$', '{a,b}', '**', 'a'.repeat(5_000), '\ud800'),
  fc.string({ maxLength: 8 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -1, 1e9, 1.5, null, true),
);
const json = fc.dictionary(key, value, { maxKeys: 4 }).map((object) => JSON.stringify(object));
const broken = fc
  .tuple(json, fc.nat(40), fc.string({ maxLength: 4 }))
  .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + 1));
const input = fc.oneof(
  json,
  json,
  broken,
  fc.string({ maxLength: 60 }),
  json.map((text) => `\`\`\`json\n${text}\n\`\`\``),
);

test('2,000 fuzzed calls come to an outcome each, none slowly, and leave the outside alone', async () => {
  const rig = await makeRig();
  rig.write({ a: 'aaaa a\n', 'b/c': 'x\n' });
  let slowest = 0;
  await fc.assert(
    fc.asyncProperty(name, input, async (tool, text) => {
      const before = performance.now();
      const outcome = await callTool(tool, text, rig.place);
      slowest = Math.max(slowest, performance.now() - before);
      expect(typeof outcome.ok).toBe('boolean');
      expect(outcome.text.length).toBeLessThan(10_000);
      expect(outcome.text).not.toContain('unknown:');
    }),
    { numRuns: 2_000 },
  );
  // A second is the aim; a loaded machine gets more.
  expect(slowest).toBeLessThan(5_000);
});
