// The last line of a program's stdout: when it is a completion contract, and what of it is believed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { limits } from '../../../domain/limits.ts';
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
  ])('%s', (_, text, contract) => {
    expect(parseCompletionContract(text)).toEqual(contract);
  });

  test('as long as a line may be', () => {
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

  test('with half a character in it is made whole', () => {
    expect(parseCompletionContract('{"status":"failed","notes":"\\ud800"}')?.notes?.isWellFormed()).toBe(true);
  });
});

describe('no contract', () => {
  test.each([
    ['nothing', ''],
    ['blank lines', '\n \n'],
    ['words', 'done'],
    ['an unknown status', '{"status":"ok"}'],
    ['a status in another case', '{"status":"Success"}'],
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
  ])('%s', (_, text) => {
    expect(parseCompletionContract(text)).toBeUndefined();
  });
});

test('no text makes it throw, and no prototype changes', () => {
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
  test('is read as a line with the same words is', () => {
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
  ])('%j is none', (value) => {
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

  test('amounts that are no numbers, endless or below zero are dropped', () => {
    const odd = { status: 'success', costUsd: Number.NaN, tokens: Infinity };
    expect(readCompletionContract(odd)).toEqual({ status: 'success' });
    expect(readCompletionContract({ status: 'success', costUsd: -1, tokens: 0.5 })).toEqual({ status: 'success' });
  });
});
