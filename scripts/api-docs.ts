// `npm run api-docs`: writes docs/api.md, the reference of every name that the package exports, from the comments in the source.
// The tables of keys in docs/plan-file.md come from the same comments, docs/http-api.md from the table of routes. With --check it writes nothing and fails where a page is not current,
// or where a name or a key has no comment, or a name no example.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import ts from 'typescript';
import { httpPage } from './http-page.ts';
import { PlanTables } from './plan-tables.ts';

const root = join(import.meta.dirname, '..');

const entries = [
  {
    module: '@heddle/heddle',
    file: 'client/index.ts',
    about: 'The client: start, find, follow, answer and direct tasks.',
  },
  { module: '@heddle/heddle/workflows', file: 'workflows/index.ts', about: 'The workflows, for a worker of your own.' },
  {
    module: '@heddle/heddle/activities',
    file: 'workers/worker/create-heddle-activities.ts',
    about: 'The activities, for a worker of your own.',
  },
];

const program = ts.createProgram(
  entries.map(({ file }) => join(root, file)),
  {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  },
);
const checker = program.getTypeChecker();
const problems: string[] = [];

const readDoc = (symbol: ts.Symbol): string => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

/** Texts of one kind of tag; links in them become code. */
const readTags = (symbol: ts.Symbol, name: string): string[] =>
  symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map((tag) => ts.displayPartsToString(tag.text).trim());

/** The compiler takes a link behind `@throws` for a type and drops the rest, so the source itself is read. */
const readThrows = (symbol: ts.Symbol): string[] =>
  (symbol.declarations ?? [])
    .flatMap((declaration) => ts.getJSDocCommentsAndTags(declaration))
    .flatMap((doc) => [...doc.getText().matchAll(/@throws ((?:[^@]|(?<=\{)@link)*)/g)])
    .map(([, text = '']) => text.replace(/\s*\*\/$|\n\s*\*(?=\s)/g, ' ').trim());

const formatLinks = (text: string): string => text.replace(/\{@link ([^}\s]+)\s*\}/g, '`$1`').replace(/\s*\n\s*/g, ' ');

function findDeclaration(symbol: ts.Symbol): ts.Declaration | undefined {
  const [first] = symbol.declarations ?? [];
  return first;
}

/** Longest type that a table shows whole, in characters. */
const longestType = 70;

function formatType(member: ts.ClassElement | ts.TypeElement): string {
  const type = checker.typeToString(checker.getTypeAtLocation(member), member, ts.TypeFormatFlags.NoTruncation);
  const text = type.replace(/\s+/g, ' ');
  return text.length > longestType ? `${text.slice(0, longestType - 1)}…` : text;
}

/** The members of a class or interface that a user can call or read, as a table. */
function formatMembers(symbol: ts.Symbol): string[] {
  const declaration = findDeclaration(symbol);
  if (declaration === undefined || !(ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)))
    return [];
  const rows = declaration.members.flatMap((member) => {
    const isHidden =
      ts.canHaveModifiers(member) && ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    if (isHidden === true || member.name === undefined || ts.isPrivateIdentifier(member.name)) return [];
    const own = checker.getSymbolAtLocation(member.name);
    const doc = own === undefined ? '' : formatLinks(readDoc(own));
    const throws = own === undefined ? [] : readThrows(own).map((text) => ` Throws ${formatLinks(text)}`);
    const cells = [`\`${member.name.getText()}\``, `\`${formatType(member)}\``, doc + throws.join('')];
    return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`];
  });
  return rows.length === 0 ? [] : ['', '| Member | Type | Meaning |', '| --- | --- | --- |', ...rows];
}

function formatName(module: string, symbol: ts.Symbol): string[] {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const doc = formatLinks(readDoc(target));
  const examples = readTags(target, 'example');
  if (doc === '') problems.push(`${module}: ${symbol.name} has no comment`);
  if (examples.length === 0) problems.push(`${module}: ${symbol.name} has no @example`);
  const throws = readThrows(target).map((text) => `Throws ${formatLinks(text)}`);
  const paragraphs = [doc, ...throws, ...examples].filter((text) => text !== '').flatMap((text) => ['', text]);
  return ['', `### \`${symbol.name}\``, ...paragraphs, ...formatMembers(target)];
}

function listExports(file: string): ts.Symbol[] {
  const source = program.getSourceFile(join(root, file));
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${file} exports nothing`);
  return checker.getExportsOfModule(symbol).toSorted((a, b) => a.name.localeCompare(b.name));
}

function findExport(file: string, name: string): ts.Type {
  const symbol = listExports(file).find((one) => one.name === name);
  if (symbol === undefined) throw new Error(`${file} does not export ${name}`);
  return checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol));
}

function formatModule({ module, file, about }: (typeof entries)[number]): string[] {
  const names = listExports(file);
  return ['', `## \`${module}\``, '', about, ...names.flatMap((name) => formatName(module, name))];
}

const text = [
  '# API reference',
  '',
  'Every name that the package exports. This page is made by `npm run api-docs` from the comments in the source.',
  ...entries.flatMap(formatModule),
  '',
].join('\n');

async function put(name: string, content: string): Promise<void> {
  const page = join(root, 'docs', name);
  const { code } = await format(page, content, { printWidth: 120, singleQuote: true, proseWrap: 'always' });
  if (!process.argv.includes('--check')) writeFileSync(page, code);
  else if (readFileSync(page, 'utf8') !== code) problems.push(`docs/${name} is not current: run npm run api-docs`);
}

await put('api.md', text);
await put('http-api.md', httpPage());
const tables = new PlanTables(checker, findExport('client/index.ts', 'PlanInput'));
await put('plan-file.md', tables.write(readFileSync(join(root, 'docs', 'plan-file.md'), 'utf8')));
problems.push(...tables.problems);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
