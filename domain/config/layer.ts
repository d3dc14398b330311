import { absoluteScripts, type Absolute } from './absolute-scripts.ts';
import { configError, inConfigWords } from './problem.ts';
import type { Config } from '../schema/config-schema.ts';
import { configSchema } from '../schema/config-schema.ts';
import { positionIn } from '../source/file-text.ts';
import { explainIssues } from '../schema/issues.ts';
import type { PlanPath, PlanProblem } from '../source/problem.ts';
import { sayPath } from '../source/problem.ts';
import type { TomlSource } from '../source/toml.ts';
import { parseToml } from '../source/toml.ts';

/** Where a value comes from. `place` is a file with its line, a variable, or a flag. */
export interface Origin {
  from: 'default' | 'file' | 'environment' | 'flag';
  place: string;
}

/** What one source says, checked. */
export interface ConfigLayer {
  /** As it was written: durations as texts. */
  raw: Record<string, unknown>;
  values: Config;
  originOf: (path: PlanPath) => Origin;
}

/** A file that says something, or the user's place for one that does not. */
export interface ConfigFile {
  kind: 'user' | 'project';
  path: string;
  layer?: ConfigLayer;
}

interface LayerOptions {
  originOf: (path: PlanPath) => Origin;
  /** Where a problem is; the origin of its path when this is left out. */
  whereIs?: (path: PlanPath, ofKey: boolean) => string;
  /** The problems in the order in which a person reads the source. */
  order?: (path: PlanPath) => number;
}

/** Checks a layer. Throws one `CONFIG_...` error with every problem in it. */
export function checkLayer(raw: Record<string, unknown>, options: LayerOptions): ConfigLayer {
  const parsed = configSchema.safeParse(raw);
  if (parsed.success) return { raw, values: parsed.data, originOf: options.originOf };
  const { problems } = explainIssues(parsed.error.issues, raw, 'config');
  const order = options.order ?? (() => 0);
  const located = [...problems]
    .sort((a, b) => order(a.path) - order(b.path))
    .map((problem) => ({ ...inConfigWords(problem), where: whereOf(problem, options) }));
  throw configError(located);
}

function whereOf({ path, code }: PlanProblem, { originOf, whereIs }: LayerOptions): string {
  return whereIs === undefined ? originOf(path).place : whereIs(path, code === 'PLAN_UNKNOWN_KEY');
}

/** A config file as a layer. Errors name file, line and column. `absolute` is as seen from the folder of the file. */
export function fileLayer(source: TomlSource, absolute: Absolute = (path) => path): ConfigLayer {
  const { value, spots } = parseToml(source);
  const offset = (path: PlanPath, ofKey: boolean): number => {
    const spot = spots.find(path);
    return spot === undefined ? 0 : ofKey ? spot.key : spot.value;
  };
  const lineOf = (path: PlanPath): number => positionIn(source.text, offset(path, true)).line;
  return checkLayer(absoluteScripts(value, absolute), {
    originOf: (path) => ({ from: 'file', place: `${source.name}:${lineOf(path)}` }),
    whereIs(path, ofKey) {
      const { line, column } = positionIn(source.text, offset(path, ofKey));
      return `${source.name}:${line}:${column} (${sayPath(path)})`;
    },
    order: (path) => offset(path, true),
  });
}
