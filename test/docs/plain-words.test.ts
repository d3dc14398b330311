// Public texts keep to the words of the field: what was reworded does not come back.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const retired =
  /\bleft out\b|\bto do: |\bis no (?:folder|duration|size)\b|\bworker answers\b|\bthe tasks? goes? on\b|\bexits as run\b|\bover one that is there\b|\bshall\b|\bstands still\b|\bread before\b|\bplanned anew\b|\ball else\b|\bsomebody\b|\bthe house\b|\brooms?\b/i;

const below = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

/** The texts of a source, without its comments, names and types. */
function literalsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest));
  return found;
}

test('no text of the source has a retired word', () => {
  const files = ['client', 'domain', 'activities', 'workers', 'workflows'].flatMap((folder) => below(folder, '.ts'));
  expect(files.length).toBeGreaterThan(200);
  // Most files have none of them anywhere, not even in a comment: those are not parsed.
  const suspects = files.filter((file) => retired.test(readFileSync(join(root, file), 'utf8')));
  const said = suspects.flatMap((file) =>
    literalsOf(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(said.filter((line) => retired.test(line))).toEqual([]);
});

test('no page has a retired word', () => {
  const lines = ['README.md', ...below('docs', '.md')].flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line}`),
  );
  expect(lines.filter((line) => retired.test(line))).toEqual([]);
});
