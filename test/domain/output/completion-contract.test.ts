// The last line of a program's stdout: when it is a completion contract, and which of its fields count.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { limits } from '../../../domain/limits/domain-limits.ts';
import { readCompletionContract } from '../../../domain/output/completion-contract.ts';
import { parseCompletionContract } from '../../../domain/output/completion-line.ts';
import { outputLimits } from '../../../domain/output/limits.ts';

describe('a contract', () => {
  test.each([
    ['alone', '{"status":"success"}', { status: 'success' }],
    ['after other output', 'working\n{"status":"failed"}\n', { status: 'failed' }],
    ['before blank lines', '{"status":"partial"}\n\n  \r\n\t\n', { status: 'partial' }],
    [
      'with Windows line ends',
      'a\r\n{"status":"blocked","notes":"no key"}\r\n',
      { status: 'blocked', notes: 'no key' },
    ],
    ['indented', 'a\n   {"status":"success"}   ', { status: 'success' }],
    [
      'with every field',
      '{"status":"success","notes":"ok","deliverablesTouched":["a","b"],"costUsd":0.5,"tokens":12}',
      { status: 'success', notes: 'ok', deliverablesTouched: ['a', 'b'], costUsd: 0.5, tokens: 12 },
    ],
    ['as JavaScript prints it', "{ status: 'failed', notes: 'no key' }", { status: 'failed', notes: 'no key' }],
    ['as Python prints it', "{'status': 'blocked', 'notes': None}", { status: 'blocked' }],
    ['with a comma too much', '{"status":"failed","notes":"x",}', { status: 'failed', notes: 'x' }],
    ['with unknown fields, dropped', '{"status":"success","extra":{"a":1}}', { status: 'success' }],
    [
      'with wrong types, dropped one by one',
      '{"status":"failed","notes":7,"deliverablesTouched":"a","costUsd":"1","tokens":1.5}',
      { status: 'failed' },
    ],
    ['with amounts below zero, dropped', '{"status":"success","costUsd":-1,"tokens":-5}', { status: 'success' }],
    ['with an amount that is no count, dropped', '{"status":"success","tokens":1e300}', { status: 'success' }],
    ['with a mixed list, dropped', '{"status":"success","deliverablesTouched":["a",1]}', { status: 'success' }],
    [
      'with null fields, dropped',
      '{"status":"success","notes":null,"deliverablesTouched":null}',
      { status: 'success' },
    ],
  ])('is read from %s', (_, text, contract) => {
    expect(parseCompletionContract(text)).toEqual(contract);
  });

  test('may be as long as a line', () => {
    const line = (length: number): string => {
      const empty = '{"status":"success","x":""}';
      return empty.replace('""', `"${'x'.repeat(length - empty.length)}"`);
    };
    expect(parseCompletionContract(line(outputLimits.contractLine))).toEqual({ status: 'success' });
    expect(parseCompletionContract(line(outputLimits.contractLine + 1))).toBeUndefined();
  });

  test('brings no endless notes or lists into the history', () => {
    const contract = parseCompletionContract(
      JSON.stringify({ status: 'success', notes: 'n'.repeat(20_000), deliverablesTouched: Array(900).fill('f') }),
    );
    expect(contract?.notes?.length).toBeLessThanOrEqual(limits.contractNotes);
    expect(contract?.deliverablesTouched).toHaveLength(limits.contractDeliverables);
  });

  test('with half a character in it is repaired', () => {
    expect(parseCompletionContract('{"status":"failed","notes":"\\ud800"}')?.notes?.isWellFormed()).toBe(true);
  });
});

describe('output without a contract', () => {
  test.each([
    ['nothing', ''],
    ['blank lines', '\n \n'],
    ['words', 'done'],
    ['an unknown status', '{"status":"ok"}'],
    ['no status', '{"notes":"x"}'],
    ['a status that is no word', '{"status":["success"]}'],
    ['a list', '[{"status":"success"}]'],
    ['a word', '"success"'],
    ['null', 'null'],
    ['a number that nothing can hold', '{"status":"success","costUsd":1e999}'],
    ['broken JSON', '{"status":"success"'],
    ['more after it', '{"status":"success"} done'],
    ['a contract that is not last', '{"status":"success"}\nbye'],
    ['JSON over several lines', '{\n"status":"success"\n}'],
    ['a status by way of the prototype', '{"__proto__":{"status":"success"}}'],
    ['an inherited name', '{"status":"toString"}'],
    ['depth without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('is %s', (_, text) => {
    expect(parseCompletionContract(text)).toBeUndefined();
  });
});

test('reading any text neither throws nor changes a prototype', () => {
  const keys = Object.getOwnPropertyNames(Object.prototype);
  const contractLike = fc.record({
    status: fc.constantFrom('success', 'failed', 1),
    __proto__: fc.jsonValue(),
    notes: fc.jsonValue(),
  });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        contractLike.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const contract = parseCompletionContract(text);
        if (contract !== undefined) expect(Object.getPrototypeOf(contract)).toBe(Object.prototype);
      },
    ),
  );
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(keys);
});

describe('an object that an activity returned', () => {
  test('is read like a line with the same fields', () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.integer(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const contract = fc.record(
      {
        status: fc.constantFrom('success', 'partial', 'failed', 'blocked', 'done'),
        notes: field,
        deliverablesTouched: field,
        costUsd: field,
        tokens: field,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(contract, (value) => {
        const line = JSON.stringify(value);
        expect(readCompletionContract(JSON.parse(line))).toEqual(parseCompletionContract(line));
      }),
    );
  });

  test.each([
    undefined,
    null,
    5,
    'success',
    ['success'],
    {},
    { status: 'done' },
    { status: ['success'] },
    { Status: 'success' },
  ])('is not a contract when it is %j', (value) => {
    expect(readCompletionContract(value)).toBeUndefined();
  });

  test('brings no endless notes or lists into the history', () => {
    const read = readCompletionContract({
      status: 'success',
      notes: 'n'.repeat(20_000),
      deliverablesTouched: Array(900).fill('f'),
    });
    expect(read?.notes?.length).toBeLessThanOrEqual(limits.contractNotes);
    expect(read?.deliverablesTouched).toHaveLength(limits.contractDeliverables);
  });

  test('has amounts dropped that are no numbers, infinite or negative', () => {
    const odd = { status: 'success', costUsd: Number.NaN, tokens: Infinity };
    expect(readCompletionContract(odd)).toEqual({ status: 'success' });
    expect(readCompletionContract({ status: 'success', costUsd: -1, tokens: 0.5 })).toEqual({ status: 'success' });
  });
});

describe('a failed status', () => {
  test.each<[string, string, string | undefined]>([
    ['in capitals', '{"status":"Failed"}', 'failed'],
    ['all in capitals', '{"status":"BLOCKED"}', 'blocked'],
    ['fenced', 'text\n```json\n{"status":"failed","notes":"no"}\n```\n', 'failed'],
    ['over several lines', 'text\n{\n  "status": "failed",\n  "notes": "a } b"\n}\n', 'failed'],
    ['fenced over several lines', '```\n{\n  "status": "Blocked"\n}\n```', 'blocked'],
    ['with words behind it', '{"status":"failed"}\nDone.', 'failed'],
    ['with objects inside', '{"status":"failed",\n"more":{"a":{"b":1}}}\nbye', 'failed'],
    ['after a stray brace', 'if (x) { "\n{"status":"partial"}\nend', 'partial'],
    ['before braces that are no JSON', '{"status":"failed"}\nsee {x} and {y, z}', 'failed'],
    ['before another object that says nothing of it', '{"status":"failed"}\n{"tokens":5}', undefined],
    ['with a key in capitals', '{"Status":"FAILED"}', 'failed'],
    ['with blanks around it', '{"status":" failed "}', 'failed'],
    ['with a number that nothing can hold', '{"status":"failed","costUsd":1e999}', 'failed'],
    ['with the same key twice', '{"status":"failed","notes":"a","notes":"b"}', 'failed'],
    ['inside another object is not the contract', '{"test":{"status":"failed"}}', undefined],
    ['with notes over several lines', 'text\n{"status":"failed","notes":"one\ntwo"}\n', 'failed'],
    ['fenced, with notes over several lines', '```json\n{"status":"Failed","notes":"a\nb } c\n"}\n```', 'failed'],
    ['with notes over several lines and words behind it', '{"status":"blocked","notes":"a\nb"}\nbye', 'blocked'],
    ['with notes over several lines, after other objects', '{"x":1}\n{"status":"failed","notes":"a\nb"}', 'failed'],
    ['success with notes over several lines', '{"status":"success","notes":"one\ntwo"}', undefined],
    ['with a comma too much, over several lines', '{\n"status": "failed",\n}', 'failed'],
    ['success over several lines is no contract', '{\n"status":"success"\n}', undefined],
    ['fenced success is no contract', '```\n{"status":"success"}\n```', undefined],
    ['success in capitals as the last line', 'x\n{"status":"SUCCESS"}', 'success'],
  ])('is never read as success: %s', (_, stdout, status) => {
    expect(parseCompletionContract(stdout)?.status).toBe(status);
  });

  test('counts whatever surrounds it', () => {
    const status = fc.constantFrom('failed', 'Failed', 'BLOCKED', 'partial');
    const around = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', ':', '.', 'success'), maxLength: 40 });
    const fields = fc.dictionary(
      fc.string().filter((key) => !/status/i.test(key) && key !== '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
      {
        maxKeys: 3,
      },
    );
    fc.assert(
      fc.property(status, around, around, fields, fc.boolean(), (chosen, before, after, more, wide) => {
        const object = JSON.stringify({ ...more, status: chosen }, null, wide ? 2 : 0);
        const read = parseCompletionContract(`${before}\n${object}\n${after}`);
        expect(read?.status).toBe(chosen.toLowerCase());
      }),
      { numRuns: 2_000 },
    );
  });

  test('output without an explicit success in its last line is not a success', () => {
    const word = fc.constantFrom(
      'done',
      'ok',
      'passed',
      'true',
      'All good.',
      'status',
      'success',
      '"',
      "'",
      ':',
      ',',
      '\\',
    );
    const key = fc.constantFrom('status', 'Status', 'STATUS', 'state', 'result', 'ok', 'notes', 'constructor');
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        'success',
        'Success',
        'failed',
        'Failed',
        'blocked',
        'partial',
        'ok',
        'done',
        'passed',
        true,
        1,
      ),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const object = fc
      .tuple(fc.array(fc.tuple(key, value), { maxLength: 3 }), fc.constantFrom(0, 2), fc.nat(60))
      .map(([fields, indent, cut]) => {
        const text = JSON.stringify(Object.fromEntries(fields), null, indent);
        return cut < 10 ? text.slice(0, -1 - cut) : text;
      });
    const piece = fc.oneof(
      word,
      object,
      object,
      fc.constantFrom('\n', '\n', '```', '```json', '{', '}', '[', ']', ' ', '\u2028'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        if (parseCompletionContract(text)?.status !== 'success') return;
        const last = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
        expect(last).toMatch(/^\{.*status["']?\s*:\s*["']?\s*success.*\}$/isu);
      }),
      { numRuns: 50_000 },
    );
  });

  test.each(['{', '{"', '{}', '{"a":', '\\"{', '{status "a}\n'])('a flood of %s takes bounded time', (piece) => {
    const began = performance.now();
    parseCompletionContract(piece.repeat(Math.ceil((4 * 1024 * 1024) / piece.length)));
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
