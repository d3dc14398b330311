// Tools of servers as rules see them: names, hints, gate rules, and which agents may use which server.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeServers } from '../../../domain/config/servers.ts';
import { assessTool } from '../../../domain/gates/assess-tool.ts';
import { ruleProblem } from '../../../domain/gates/read-rules.ts';
import { onlyReads, readHints } from '../../../domain/servers/hints.ts';
import { readListedTool } from '../../../domain/servers/listed-tool.ts';
import { selectServers } from '../../../domain/servers/select-servers.ts';
import { buildToolName, fitsPattern } from '../../../domain/text/tool-name.ts';
import type { Hints } from '../../../domain/types/basic/tool-server.ts';
import type { Executor } from '../../../domain/types/subtask.ts';

const destructive: Hints = { destructive: true };
const reads: Hints = { readOnly: true };

const rows: [rule: string, hints: Hints, expected: string, allowed?: string][] = [
  ['', reads, 'allow'],
  ['', { readOnly: true, destructive: true }, 'ask destructive null'],
  ['', destructive, 'ask destructive null'],
  ['', {}, 'ask tool gate:tool:mcp__s__go'],
  ['', {}, 'allow', 'gate:tool:mcp__s__go'],
  ['', {}, 'ask tool gate:tool:mcp__s__go', 'gate:tool:mcp__s__gone'],
  ['', destructive, 'ask destructive null', 'gate:tool:mcp__s__go'],
  ['allow tool:mcp__s__*', {}, 'allow'],
  ['allow tool:mcp__s__*', destructive, 'ask destructive null'],
  ['allow tool:mcp__s__g*', destructive, 'ask destructive null'],
  ['allow tool:mcp__s__go', destructive, 'allow'],
  ['allow tool:mcp__s__gone', destructive, 'ask destructive null'],
  ['allow tool:*', {}, 'allow'],
  ['ask tool:*', reads, 'ask rule gate:rule:tool mcp__s__go'],
  ['deny tool:mcp__s__*', reads, 'deny'],
  ['deny tool:mcp__t__*', reads, 'allow'],
];

test.each(rows)('under "%s" a tool with %o gets: %s', (rule, hints, expected, allowed) => {
  const [list = '', text = ''] = rule.split(' ');
  const rules = { allow: [], ask: [], deny: [], ...(text === '' ? {} : { [list]: [text] }) };
  const facts = { rules, allowed: allowed === undefined ? [] : [allowed] };
  const ruling = assessTool({ name: 'mcp__s__go', server: 's', hints }, facts);
  const shown = ruling.kind === 'ask' ? `ask ${ruling.danger} ${ruling.signature}` : ruling.kind;
  expect(shown).toBe(expected);
});

test('deny comes before ask, and ask before allow', () => {
  const texts = ['tool:mcp__s__go'];
  const facts = (lists: object) => ({ rules: { allow: texts, ask: [], deny: [], ...lists }, allowed: [] });
  const tool = { name: 'mcp__s__go', server: 's', hints: {} };
  expect(assessTool(tool, facts({ ask: texts, deny: texts })).kind).toBe('deny');
  expect(assessTool(tool, facts({ ask: texts })).kind).toBe('ask');
  expect(assessTool(tool, facts({})).kind).toBe('allow');
});

test.each([
  ['tool:', 'has nothing after `tool:`'],
  ['tool:a b', 'is no name of a tool'],
  ['tool:mcp__s__[ab]', 'is no name of a tool'],
  ['tool:mcp__s__*', undefined],
])('the rule %s is refused where it is none', (text, problem) => {
  if (problem === undefined) expect(ruleProblem(text)).toBeUndefined();
  else expect(ruleProblem(text)).toContain(problem);
});

describe('hints', () => {
  test('count only as an explicit true', () => {
    for (const word of ['true', 1, {}, [], null, 'yes'])
      expect(readHints({ readOnlyHint: word, idempotentHint: word }, { 'heddle/settles': word })).toEqual({});
    expect(readHints({ readOnlyHint: true }, undefined)).toEqual({ readOnly: true });
    expect(readHints(Object.create({ readOnlyHint: true }), null)).toEqual({});
    expect(onlyReads({ readOnly: true, destructive: true })).toBe(false);
  });

  test('of any tool are read without an error, and a tool without a name or an object is none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const tool = readListedTool(value);
        if (tool !== undefined) expect([typeof tool.name, tool.input['type']]).toEqual(['string', 'object']);
      }),
    );
  });
});

test('names fit what services take, and two long ones stay two', () => {
  expect(buildToolName('memory', 'read_graph')).toBe('mcp__memory__read_graph');
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (name) => {
      expect(buildToolName('s', name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }),
  );
  const long = 'x'.repeat(100);
  expect(buildToolName('s', `${long}a`)).not.toBe(buildToolName('s', `${long}b`));
  expect(fitsPattern('mcp__a__b', ['mcp__*__b', 'c'])).toBe(true);
  expect(fitsPattern('mcp__a__b', ['mcp__a'])).toBe(false);
});

test('only servers that an agent may use are chosen', () => {
  const servers = completeServers({ mcp: { one: { command: ['a'] }, two: { url: 'http://127.0.0.1:1/mcp' } } });
  const agent = (foreign?: string[]): { executor: Executor } => ({
    executor: { kind: 'agent', tools: [], iterations: 1, timeout: 1, ...(foreign === undefined ? {} : { foreign }) },
  });
  const chosen = (foreign?: string[]): string[] => selectServers([agent(foreign)], servers).map(({ name }) => name);
  expect(chosen()).toEqual(['one', 'two']);
  expect(chosen([])).toEqual([]);
  expect(chosen(['mcp__one__x'])).toEqual(['one']);
  expect(chosen(['mcp__*'])).toEqual(['one', 'two']);
  expect(chosen(['mcp__two__get_*'])).toEqual(['two']);
  expect(chosen(['*'])).toEqual(['one', 'two']);
});
