// The types of the client package are written out from what the compiler infers; what is no plain data stops the build.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listImportedNames, WrittenTypes } from '../../scripts/build-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'heddle-types-'));
const file = join(folder, 'index.d.ts');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(source: string, ...names: string[]): string {
  writeFileSync(file, source);
  return new WrittenTypes(file).write(file, new Set(names)).replace(/\s+/g, ' ');
}

test('an inferred type is written with its optional keys, unions and lists', () => {
  const source = `
    type Shape<T> = { [K in keyof T]?: T[K] };
    /** A plan. */
    export type Plan = Shape<{ goal: string; on: boolean; 'a-b': 1 | 'x'; list: { n: number }[] }>;`;
  expect(write(source, 'Plan')).toBe(
    '/** A plan. */ export type Plan = { goal?: string; on?: boolean; ' +
      '"a-b"?: 1 | "x"; list?: Array<{ n: number }> };',
  );
});

test('a map, a pair, an unknown value and a comment stay what they are', () => {
  const source =
    'export type A = {\n/** Its variables. */\nenv: Record<string, string>; pair: [string, 2]; any: unknown };';
  expect(write(source, 'A')).toBe(
    'export type A = { /** Its variables. */ env: { [key: string]: string }; pair: [string, 2]; any: unknown };',
  );
});

test.each([
  ['a function', 'export type A = { call: () => void };', 'is a function'],
  ['a type that contains itself', 'export type A = { next: A };', 'may contain itself'],
  ['a value', 'export declare const A: number;', 'A is no type'],
])('%s stops the build', (_name, source, problem) => {
  expect(() => write(source, 'A')).toThrow(problem);
});

test('the names that a file takes from another one are those of the other one', () => {
  writeFileSync(file, "import type { A, B as C } from './x.ts';\nexport { D as E } from './y.ts';\nimport './z.ts';\n");
  expect(listImportedNames(file)).toEqual([
    { from: './x.ts', names: ['A', 'B'] },
    { from: './y.ts', names: ['D'] },
    { from: './z.ts', names: [] },
  ]);
});
