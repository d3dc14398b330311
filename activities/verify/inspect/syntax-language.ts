export type Language =
  | 'json'
  | 'json-with-comments'
  | 'json-lines'
  | 'yaml'
  | 'toml'
  | 'csv'
  | 'tsv'
  | 'js'
  | 'ts'
  | 'tsx'
  | 'dts';

const byExtension: [RegExp, Language][] = [
  [/\.d\.[cm]?ts$/, 'dts'],
  [/\.json$/, 'json'],
  [/\.(?:jsonl|ndjson)$/, 'json-lines'],
  [/\.ya?ml$/, 'yaml'],
  [/\.toml$/, 'toml'],
  [/\.csv$/, 'csv'],
  [/\.(?:tsv|tab)$/, 'tsv'],
  [/\.(?:js|jsx|mjs|cjs)$/, 'js'],
  [/\.(?:ts|mts|cts)$/, 'ts'],
  [/\.tsx$/, 'tsx'],
];

/** Files whose own tools read comments and trailing commas in them: `tsc --init` writes such a tsconfig.json. */
const withComments =
  /(?:^|\/)(?:[tj]sconfig(?:\.[^/]+)?\.json|devcontainer\.json|api-extractor\.json|\.eslintrc\.json|\.vscode\/[^/]+\.json)$/;

/** Finds the language that a file must parse as, by its name; undefined where there is no rule. */
export function findLanguage(path: string): Language | undefined {
  const name = path.toLowerCase();
  if (withComments.test(name)) return 'json-with-comments';
  return byExtension.find(([pattern]) => pattern.test(name))?.[1];
}
