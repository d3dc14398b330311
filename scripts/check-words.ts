// `npm run words`: identifiers, comments, strings and pages keep to the words of docs/glossary.md. What is not reworded yet is counted in
// words-allowed.json, by rule and file. Those counts only fall: `npm run words -- --write` lowers them and never raises one.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { findRetiredWords, publicKeys, type Kind } from './retired-words.ts';

const root = process.cwd();
const allowedFile = join(root, 'scripts', 'words-allowed.json');

/** Findings by rule, then by file. */
type Counts = Record<string, Record<string, number>>;

interface Finding {
  rule: string;
  file: string;
  line: number;
  text: string;
}

/** Uses of a name are left to its declaration: imports, keys of objects, accesses. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertySignature(parent) && publicKeys.has(node.text)) return false;
  if (ts.isBindingElement(parent)) return parent.name === node && parent.propertyName !== undefined;
  const isUse =
    ts.isPropertyAccessExpression(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent);
  return !isUse && 'name' in parent && parent.name === node;
}

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** Finds `test` in `test('name', …)`, `test.only(…)` and `test.each(rows)('name', …)`. */
function findCallee(node: ts.Expression): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return findCallee(node.expression);
  return undefined;
}

/** The name of a test or of a group of tests, and the function that it is given to. */
function* readTestName(node: ts.CallExpression): Generator<{ kind: Kind; text: string; node: ts.Node }> {
  const callee = findCallee(node.expression);
  const [name] = node.arguments;
  if (callee === undefined || name === undefined || !['test', 'it', 'describe'].includes(callee.text)) return;
  if (!ts.isStringLiteralLike(name) && !ts.isTemplateExpression(name)) return;
  yield { kind: 'test-call', text: callee.text, node: callee };
  if (callee.text !== 'describe') yield { kind: 'test-name', text: name.getText().slice(1, -1), node: name };
}

/** The parts of a source that rules look at, each with the offset of its first character. */
function* readParts(source: ts.SourceFile): Generator<{ kind: Kind; text: string; at: number }> {
  const comments = new Set<number>();
  const waiting: ts.Node[] = [source];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      if (comments.has(range.pos)) continue;
      comments.add(range.pos);
      yield { kind: 'comment', text: source.text.slice(range.pos, range.end), at: range.pos };
    }
    if (ts.isIdentifier(node) && isDeclared(node))
      yield { kind: 'identifier', text: node.text, at: node.getStart(source) };
    if (ts.isCallExpression(node))
      for (const { kind, text, node: part } of readTestName(node)) yield { kind, text, at: part.getStart(source) };
    if (isText(node) && !ts.isLiteralTypeNode(node.parent))
      yield { kind: 'string', text: node.text, at: node.getStart(source) };
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
}

function checkSource(file: string): Finding[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  // A test quotes texts that it refuses.
  const isRoom = !/^(?:test|bench|scripts)\//.test(file);
  return [...readParts(source)].flatMap(({ kind, text, at }) =>
    kind === 'string' && !isRoom
      ? []
      : findRetiredWords(kind, text).map((rule) => ({
          rule,
          file,
          line: source.getLineAndCharacterOfPosition(at).line + 1,
          text: text.replace(/\s+/g, ' ').slice(0, 90),
        })),
  );
}

function checkPage(file: string): Finding[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((text, index) =>
    findRetiredWords('page', text).map((rule) => ({ rule, file, line: index + 1, text: text.slice(0, 90) })),
  );
}

function count(findings: readonly Finding[]): Counts {
  const counts: Counts = {};
  for (const { rule, file } of findings) {
    const files = (counts[rule] ??= {});
    files[file] = (files[file] ?? 0) + 1;
  }
  return counts;
}

/** Each count is the lower one of what was allowed and what is there. */
function lower(allowed: Counts, current: Counts): Counts {
  const lowered: Counts = {};
  for (const rule of Object.keys(allowed).toSorted()) {
    for (const file of Object.keys(allowed[rule] ?? {}).toSorted()) {
      const left = Math.min(allowed[rule]?.[file] ?? 0, current[rule]?.[file] ?? 0);
      if (left > 0) (lowered[rule] ??= {})[file] = left;
    }
  }
  return lowered;
}

const sources = ['domain', 'workflows', 'activities', 'workers', 'client', 'test', 'bench', 'scripts'].flatMap(
  (folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }),
);
// The changelog may quote the words that a release took out.
const pages = [
  ...globSync('*.md', { cwd: root }).filter((file) => file !== 'CHANGELOG.md'),
  ...globSync('llms.txt', { cwd: root }),
  ...globSync('.github/**/*.md', { cwd: root }),
  ...globSync('docs/**/*.md', { cwd: root }),
  ...globSync('activities/prompts/**/*.md', { cwd: root }),
];
if (sources.length === 0) throw new Error(`no sources below ${root}`);
const findings = [
  ...sources.filter((file) => file !== 'scripts/retired-words.ts').flatMap(checkSource),
  ...pages.flatMap(checkPage),
];
const current = count(findings);
const allowed = JSON.parse(readFileSync(allowedFile, 'utf8')) as Counts;
if (process.argv.includes('--write'))
  writeFileSync(allowedFile, `${JSON.stringify(lower(allowed, current), null, 1)}\n`);

const exceeded = findings.filter(({ rule, file }) => (current[rule]?.[file] ?? 0) > (allowed[rule]?.[file] ?? 0));
for (const { rule, file, line, text } of exceeded) process.stderr.write(`${file}:${line} [${rule}] ${text}\n`);
const stale = process.argv.includes('--write')
  ? []
  : Object.entries(allowed).flatMap(([rule, files]) =>
      Object.entries(files).filter(([file, most]) => (current[rule]?.[file] ?? 0) < most),
    );
for (const [file] of stale)
  process.stderr.write(`${file} has fewer retired words than words-allowed.json says: run npm run words -- --write\n`);
process.exitCode = exceeded.length === 0 && stale.length === 0 ? 0 : 1;
