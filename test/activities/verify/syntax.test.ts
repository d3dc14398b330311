import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import { findSyntaxProblems } from '../../../activities/verify/inspect/find-syntax-problems.ts';
import { findLanguage } from '../../../activities/verify/inspect/syntax-language.ts';
import { codesOf, VerifyRig } from './rig.ts';

// Syntax of deliverables by extension: what is good passes, what is bad is named with its line, and no input hangs the worker.

const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefghijk'.split('').map((name, index) => {
    const previous = 'abcdefghijk'.charAt(index);
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${previous}`).join(',')}]`;
  }),
].join('\n');

const good: [file: string, text: string][] = [
  ['a.json', '{"a": [1, 2.5e3, null, "x"]}'],
  ['bom.json', '\uFEFF{}'],
  ['tsconfig.json', '{\n  // a comment\n  "strict": true,\n}'],
  ['.vscode/settings.json', '{ /* c */ "a": 1 }'],
  ['a.jsonl', '{"a":1}\n\n[2]\r\n3\n'],
  ['a.ndjson', '{"a":1}'],
  ['a.yaml', 'a: 1\nb: [x, {y: z}]\n'],
  ['many.yml', '---\na: 1\n---\nb: 2\n...\n'],
  ['tags.yaml', 'Bucket: !Ref Name\nSub: !Sub "${A}"\n'],
  ['merge.yaml', 'base: &b {x: 1}\nc:\n  <<: *b\n  y: 2\n'],
  ['anchors.yaml', `a: &a 1\nb: [${Array.from({ length: 300 }, () => '*a').join(', ')}]\n`],
  ['a.toml', 'a = 1\n[t]\nb = 2024-01-01T00:00:00Z\n[[x]]\nc = "d"\n'],
  ['a.csv', 'a,b,c\n1,"x, y",3\n"line\nbreak",2,"say ""hi"""\n'],
  ['semicolon.csv', 'a;b\n1,5;2\n'],
  ['quotes.csv', 'a,b\nsay "hi",2\n'],
  ['one.csv', 'name\nx\ny\n'],
  ['a.tsv', 'a\tb\n1\t2, "3"\n'],
  ['a.js', '#!/usr/bin/env node\nconst f = async () => { await x; };\nreturn;'],
  ['jsx.js', 'export const A = () => <div {...p}>x</div>;'],
  ['flow.js', '// @flow\ntype A = {| a: number |};\nconst a: A = x;'],
  ['a.mjs', 'import a from "a"; export default await a;'],
  ['a.cjs', 'module.exports = require("a"); with (a) {}'],
  [
    'a.ts',
    'enum A { B }\nabstract class C<T> { constructor(private readonly x: T, @Inject() y?: string) {} }\nlet v = <any>x;',
  ],
  [
    'decorated.ts',
    '@a export class B { @c accessor d = 1; }\nexport function f(a: string): void;\nexport function f(a: any) {}',
  ],
  ['a.mts', 'import type { A } from "a"; using x = y(); export { type B } from "b";'],
  ['a.cts', 'import a = require("a"); export = a;'],
  ['a.d.ts', 'declare module "x" { export const a: string; }\nexport declare function f(): void;'],
  ['a.tsx', 'export const A = <T,>(p: { a: T }) => <B<T> a={p.a}>x</B>;'],
  ['a.jsx', 'const a = <></>;'],
  ['qt.ts', '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS></TS>'],
  ['a.txt', '{ not json'],
  ['Makefile', 'a: b'],
];

const bad: [file: string, text: string, says: RegExp][] = [
  ['a.json', '{"a": 1,}', /line 1|position/],
  ['comment.json', '{\n// c\n"a": 1}', /line 2|position/],
  ['cut.json', '{"a": [1, 2', /JSON/],
  ['nan.json', 'NaN', /not valid JSON|Unexpected/],
  ['tsconfig.json', '{ "a": ', /Unexpected token/],
  ['a.jsonl', '{"a":1}\n{a:2}\n{"a":3}\nx\n', /line 2: [^]*line 4: /],
  ['a.yaml', 'a: [1, 2\nb: 3\n', /line/],
  ['second.yaml', 'a: 1\n---\nb: "x\n', /line/],
  ['twice.yaml', 'a: 1\na: 2\n', /unique/],
  ['alias.yaml', 'a: *nothing\n', /alias/i],
  ['bomb.yaml', bomb, /alias/i],
  ['a.toml', 'a = \n', /line 1|1:/],
  ['twice.toml', 'a = 1\na = 2\n', /redefine|already|key/i],
  ['a.csv', 'a,b,c\n1,2\n1,2,3\n1,2,3,4\n', /line 2: 2 fields where the first record has 3\nline 4: 4 fields/],
  ['quote.csv', 'a,b\n"open,2\n1,2\n', /quote/i],
  ['a.tsv', 'a\tb\n1\n', /line 2: 1 field where/],
  ['a.js', 'const a = ;\n', /\(1:10\)/],
  ['twice.js', 'const a = 1;\nconst a = 2;\n', /already been declared/],
  ['type.js', 'interface A { b: string } function f(x: number?) {', /\(1:/],
  ['a.ts', 'const a: = 1;\n', /\(1:9\)/],
  ['cut.tsx', 'const a = <div>;\n', /JSX|Unterminated/],
  ['a.mjs', 'import { from "a";', /\(1:/],
  ['deep.json', '['.repeat(200_000), /./],
  ['deep.yaml', '['.repeat(20_000), /./],
];

describe('the parsers', () => {
  test.each(good)('%s is good', async (file, text) => {
    const language = findLanguage(file);
    expect(language === undefined ? [] : await findSyntaxProblems(text, language)).toEqual([]);
  });

  test.each(bad)('%s is bad', async (file, text, says) => {
    const language = findLanguage(file);
    expect(language === undefined ? '' : (await findSyntaxProblems(text, language)).join('\n')).toMatch(says);
  });
});

describe('the check', () => {
  let rig: VerifyRig;
  beforeEach(async () => {
    rig = await VerifyRig.make();
  });
  afterEach(() => rig.remove());

  test('names every bad file, in one verdict', async () => {
    await rig.write({ 'a.json': '{', 'b.yaml': 'a: [', 'c.csv': 'a,b\n1\n', 'good.toml': 'a = 1' });
    const verdict = await rig.verify({ deliverables: ['a.json', 'b.yaml', 'c.csv', 'good.toml'] });
    expect(codesOf(verdict)).toEqual(['hard syntax-invalid', 'hard syntax-invalid', 'hard syntax-invalid']);
    expect(verdict.issues.map((issue) => issue.message)).toEqual([
      'a.json is not valid JSON; correct it.',
      'b.yaml is not valid YAML; correct it.',
      'c.csv is not valid CSV; correct it.',
    ]);
    expect(verdict.issues[2]?.details).toBe('line 2: 1 field where the first record has 2');
  });

  test('a YAML bomb is refused and costs next to nothing', async () => {
    await rig.write({ 'bomb.yaml': bomb });
    const start = performance.now();
    expect(codesOf(await rig.verify({ deliverables: ['bomb.yaml'] }))).toEqual(['hard syntax-invalid']);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('a parser that does not end is stopped, and the next file is still checked', async () => {
    // Far more than this parser reads in the time that it is given here.
    await rig.write({ 'slow.ts': `x = [${'1,'.repeat(2_000_000)}]`, 'z.json': '{' });
    const verdict = await rig.verify({ deliverables: ['slow.ts', 'z.json'] }, { inspectTimeout: 700 });
    expect(verdict.issues.map((issue) => issue.path)).toEqual(['slow.ts', 'z.json']);
    expect(verdict.issues[0]?.message).toMatch(/its parser (did not finish|failed)/);
    expect(verdict.issues[1]?.severity).toBe('hard');
  });

  test('a file above the size that is read is an advisory issue', async () => {
    await rig.write({ 'large.json': '1'.repeat(activityLimits.maxCheckedBytes + 1) });
    const verdict = await rig.verify({ deliverables: ['large.json'] });
    expect(verdict.outcome).toBe('pass-with-warnings');
    expect(verdict.issues[0]?.message).toBe('The syntax of large.json was not checked: it is too large.');
  });

  test('a bad file in a deliverable folder is a warning: it may be a fixture', async () => {
    await rig.write({ 'out/data.json': '{', 'out/node_modules/x/bad.json': '{', 'out/good.json': '{}' });
    const verdict = await rig.verify({ deliverables: ['out'] });
    expect(verdict.outcome).toBe('pass-with-warnings');
    expect(verdict.issues.map((issue) => issue.path)).toEqual(['out/data.json']);
  });

  test('zero bytes in a data file are no text; in a .ts they are a video', async () => {
    await rig.write({
      'a.json': Buffer.from('{}\0'),
      'a.ts': Buffer.from([0x47, 0, 0]),
      'utf16.csv': Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'),
    });
    const verdict = await rig.verify({ deliverables: ['a.json', 'a.ts', 'utf16.csv'] });
    expect(verdict.issues.map((issue) => [issue.path, issue.severity])).toEqual([['a.json', 'hard']]);
  });

  test('a template of YAML is a warning, a workflow with expressions is held to YAML', async () => {
    await rig.write({
      'chart.yaml': '{{- if .Values.a }}\na: {{ .Values.b }}\n{{- end }}\n',
      'ci.yaml': 'a: ${{ x }}\nb: [\n',
    });
    const verdict = await rig.verify({ deliverables: ['chart.yaml', 'ci.yaml'] });
    expect(verdict.issues.map((issue) => [issue.path, issue.severity])).toEqual([
      ['chart.yaml', 'advisory'],
      ['ci.yaml', 'hard'],
    ]);
  });
});
