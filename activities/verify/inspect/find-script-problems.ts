import type { ParserOptions, ParserPlugin } from '@babel/parser';
import { parse, parseExpression } from '@babel/parser';

const common: ParserPlugin[] = [
  'decoratorAutoAccessors',
  'explicitResourceManagement',
  'sourcePhaseImports',
  'deferredImportEvaluation',
];

/** A file is good when one of the dialects that share its extension accepts it. */
const dialects: Record<'js' | 'ts' | 'tsx' | 'dts', ParserPlugin[][]> = {
  js: [
    ['jsx', 'decorators'],
    ['jsx', 'decorators-legacy'],
    ['jsx', 'flow'],
  ],
  ts: [
    ['typescript', 'decorators-legacy'],
    ['typescript', 'decorators'],
  ],
  tsx: [
    ['typescript', 'jsx', 'decorators-legacy'],
    ['typescript', 'jsx', 'decorators'],
  ],
  dts: [[['typescript', { dts: true }], 'decorators-legacy']],
};

/** A syntax check forbids nothing that loaders allow at the top of a file. */
const options: ParserOptions = {
  sourceType: 'unambiguous',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowUndeclaredExports: true,
};

/** JavaScript and TypeScript; the first dialect's complaint is the one told. */
export function findScriptSyntaxProblems(text: string, kind: keyof typeof dialects): string[] {
  // Qt's translation files share the extension of TypeScript.
  if (kind === 'ts' && /^\s*<(?:\?xml|!DOCTYPE)/i.test(text)) return [];
  const problems: string[] = [];
  for (const plugins of dialects[kind]) {
    try {
      parse(text, { ...options, plugins: [...common, ...plugins] });
      return [];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push(error.message);
    }
  }
  return problems.slice(0, 1);
}

/** JSON with comments and trailing commas is an expression of JavaScript. */
export function findCommentedJsonProblems(text: string): string[] {
  try {
    parseExpression(text);
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [error.message];
  }
}
