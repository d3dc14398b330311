import { absolutePaths, type ToAbsolute } from './absolute-paths.ts';
import { configError, toConfigProblem } from './problem.ts';
import type { Config } from '../schema/config-schema.ts';
import { configSchema } from '../schema/config-schema.ts';
import { positionIn } from '../input/file-text.ts';
import { explainIssues } from '../schema/issues.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath } from '../input/problem.ts';
import type { TomlSource } from '../input/toml.ts';
import { parseToml } from '../input/toml.ts';

/** The source of a value. `place` is a file with its line, a variable, an address, or a flag. */
export interface Origin {
  from: 'default' | 'found' | 'file' | 'environment' | 'flag';
  place: string;
}

/** The checked settings of one source. */
export interface ConfigLayer {
  /** The settings as they were written: durations as texts. */
  raw: Record<string, unknown>;
  values: Config;
  originOf: (path: PlanPath) => Origin;
}

/** Identifies a project's file for trust: its folder with links resolved, its name, and a hash of its bytes. */
export interface FileIdentity {
  path: string;
  sha256: string;
}

/** The user's trust in a file: never given, given for other content, in an unreadable record, or given for this content. */
export type Trust = 'unknown' | 'changed' | 'damaged' | 'trusted';

/** The user's own file. It has no layer when the file does not exist. */
interface UserFile {
  kind: 'user';
  path: string;
  layer?: ConfigLayer;
}

/** The file of a project folder, which may come from anywhere. */
export interface ProjectFile {
  kind: 'project';
  path: string;
  identity: FileIdentity;
  /** Everything in the file. Only `layer` has an effect. */
  whole: ConfigLayer;
  layer: ConfigLayer;
  /** The parts that need trust. */
  sensitive: PlanPath[];
  trust: Trust;
}

export type ConfigFile = UserFile | ProjectFile;

interface LayerOptions {
  originOf: (path: PlanPath) => Origin;
  /** Locates a problem; by default the origin of its path is used. */
  whereIs?: (path: PlanPath, ofKey: boolean) => string;
  /** Sorts the problems into the order of the source. */
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
    .map((problem) => ({ ...toConfigProblem(problem), where: locateProblem(problem, options) }));
  throw configError(located);
}

function locateProblem({ path, code }: PlanProblem, { originOf, whereIs }: LayerOptions): string {
  return whereIs === undefined ? originOf(path).place : whereIs(path, code === 'PLAN_UNKNOWN_KEY');
}

/** Reads a config file as a layer. Errors name file, line and column. Relative paths start at the folder of the file. */
export function fileLayer(source: TomlSource, absolute: ToAbsolute = (path) => path): ConfigLayer {
  const { value, locations } = parseToml(source);
  const offset = (path: PlanPath, ofKey: boolean): number => {
    const location = locations.find(path);
    return location === undefined ? 0 : ofKey ? location.key : location.value;
  };
  const lineOf = (path: PlanPath): number => positionIn(source.text, offset(path, true)).line;
  return checkLayer(absolutePaths(value, absolute), {
    originOf: (path) => ({ from: 'file', place: `${source.name}:${lineOf(path)}` }),
    whereIs(path, ofKey) {
      const { line, column } = positionIn(source.text, offset(path, ofKey));
      return `${source.name}:${line}:${column} (${formatPath(path)})`;
    },
    order: (path) => offset(path, true),
  });
}
