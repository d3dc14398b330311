import { absolutePaths, type Absolute } from './absolute-paths.ts';
import { configError, toConfigProblem } from './problem.ts';
import type { Config } from '../schema/config-schema.ts';
import { configSchema } from '../schema/config-schema.ts';
import { positionIn } from '../input/file-text.ts';
import { explainIssues } from '../schema/issues.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath } from '../input/problem.ts';
import type { TomlSource } from '../input/toml.ts';
import { parseToml } from '../input/toml.ts';

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

/** By what a project's file is trusted: its folder, links resolved, with its name; and its bytes. */
export interface FileIdentity {
  path: string;
  sha256: string;
}

/** Whether the user has said that a file may have its full effect: never, of other content, in a record that cannot be read, or of this one. */
export type Trust = 'unknown' | 'changed' | 'damaged' | 'trusted';

/** The user's own file, or the place for one that is not there. */
interface UserFile {
  kind: 'user';
  path: string;
  layer?: ConfigLayer;
}

/** The file of a folder, which may come from anywhere. */
export interface ProjectFile {
  kind: 'project';
  path: string;
  identity: FileIdentity;
  /** Everything in it; of that, `layer` is what has effect. */
  whole: ConfigLayer;
  layer: ConfigLayer;
  /** The parts that need trust. */
  sensitive: PlanPath[];
  trust: Trust;
}

export type ConfigFile = UserFile | ProjectFile;

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
    .map((problem) => ({ ...toConfigProblem(problem), where: locateProblem(problem, options) }));
  throw configError(located);
}

function locateProblem({ path, code }: PlanProblem, { originOf, whereIs }: LayerOptions): string {
  return whereIs === undefined ? originOf(path).place : whereIs(path, code === 'PLAN_UNKNOWN_KEY');
}

/** A config file as a layer. Errors name file, line and column. `absolute` is as seen from the folder of the file. */
export function fileLayer(source: TomlSource, absolute: Absolute = (path) => path): ConfigLayer {
  const { value, spots } = parseToml(source);
  const offset = (path: PlanPath, ofKey: boolean): number => {
    const location = spots.find(path);
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
