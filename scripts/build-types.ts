import { readFileSync } from 'node:fs';
import ts from 'typescript';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
};

/** Depth of a type written out; a recursive one would have no end. */
const deepest = 30;

/**
 * Types that zod infers from a schema, written out from the source: a package that has only the types does not depend on zod, and each key
 * keeps the comment that an editor shows, which the compiler drops. Anything but plain data is an error of the build.
 */
export class WrittenTypes {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;

  constructor(entry: string) {
    this.program = ts.createProgram([entry], options);
    this.checker = this.program.getTypeChecker();
  }

  /** The declarations of the types that are asked for by name, from a file of the source. */
  write(file: string, names: ReadonlySet<string>): string {
    const source = this.program.getSourceFile(file);
    const module = source === undefined ? undefined : this.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} has no types`);
    const exported = this.checker.getExportsOfModule(module).filter(({ name }) => names.has(name));
    return exported.map((symbol) => this.writeAlias(symbol)).join('\n');
  }

  private writeAlias(symbol: ts.Symbol): string {
    const target = symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    if ((target.flags & ts.SymbolFlags.Type) === 0) throw new Error(`${symbol.name} is no type`);
    const type = this.checker.getDeclaredTypeOfSymbol(target);
    return `${this.comment(target)}export type ${symbol.name} = ${this.text(type, 0)};`;
  }

  private comment(symbol: ts.Symbol): string {
    const [declaration] = symbol.declarations ?? [];
    const [doc] = declaration === undefined ? [] : ts.getJSDocCommentsAndTags(declaration);
    return doc === undefined ? '' : `${doc.getText()}\n`;
  }

  private text(type: ts.Type, depth: number): string {
    if (depth > deepest) throw new Error(`a type is deeper than ${deepest}: it may contain itself`);
    if (type.isUnion()) return this.union(type.types, depth);
    const { checker } = this;
    const plain =
      ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike;
    const other = ts.TypeFlags.BooleanLike | ts.TypeFlags.Null | ts.TypeFlags.Undefined;
    if (type.flags & (plain | other)) return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    if (isReference(type) && checker.isTupleType(type)) return `[${this.elements(type, depth).join(', ')}]`;
    if (isReference(type) && checker.isArrayType(type)) return `Array<${this.elements(type, depth).join(', ')}>`;
    if (type.isIntersection() || type.flags & ts.TypeFlags.Object) return this.object(type, depth);
    throw new Error(`${checker.typeToString(type)} is no plain data`);
  }

  private union(types: readonly ts.Type[], depth: number): string {
    const texts = types.map((type) => this.text(type, depth + 1));
    // The checker holds `boolean` as a union of its two values.
    const joined = texts.includes('true') && texts.includes('false') ? ['boolean'] : [];
    const rest = joined.length === 0 ? texts : texts.filter((text) => text !== 'true' && text !== 'false');
    return [...new Set([...rest, ...joined])].join(' | ');
  }

  private elements(type: ts.TypeReference, depth: number): string[] {
    return this.checker.getTypeArguments(type).map((element) => this.text(element, depth + 1));
  }

  private object(type: ts.Type, depth: number): string {
    if (type.getCallSignatures().length > 0) throw new Error(`${this.checker.typeToString(type)} is a function`);
    const indexes = this.checker
      .getIndexInfosOfType(type)
      .map((info) => `[key: ${this.text(info.keyType, depth + 1)}]: ${this.text(info.type, depth + 1)}`);
    const members = type.getProperties().map((property) => this.member(property, depth));
    return `{\n${[...indexes, ...members].join(';\n')}\n}`;
  }

  private member(property: ts.Symbol, depth: number): string {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const whole = this.checker.getTypeOfSymbol(property);
    const parts = whole.isUnion() ? whole.types : [whole];
    const given = isOptional ? parts.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0) : parts;
    const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    const lines = [
      ts.displayPartsToString(property.getDocumentationComment(this.checker)),
      ...property.getJsDocTags(this.checker).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`.trim()),
    ].filter((line) => line !== '');
    const doc = lines.join('\n\n').replaceAll('*/', '* /').replaceAll('\n', '\n * ');
    const comment = doc === '' ? '' : doc.includes('\n') ? `/**\n * ${doc}\n */\n` : `/** ${doc} */\n`;
    return `${comment}${name}${isOptional ? '?' : ''}: ${this.union(given, depth)}`;
  }
}

const isReference = (type: ts.Type): type is ts.TypeReference =>
  (type.flags & ts.TypeFlags.Object) !== 0 && 'target' in type;

/** The names that a file imports or re-exports from others, by module specifier. */
export function listImportedNames(file: string): { from: string; names: string[] }[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    if (statement.moduleSpecifier === undefined || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const isNamed = bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings));
    const names = isNamed ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text) : [];
    return [{ from: statement.moduleSpecifier.text, names }];
  });
}
