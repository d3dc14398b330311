import type { Config } from '../schema/config-schema.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { isWebRule, opensWeb } from '../gates/assess-web.ts';
import { isTable } from '../input/is-table.ts';
import { impliedConfig } from './keys/all-keys.ts';
import { formatPath, valueAt, type PlanPath } from '../input/problem.ts';
import { defaultGuards } from '../plan/select-guards.ts';
import { formatList } from '../text/text.ts';
import type { GateRules } from '../types/basic/gate.ts';
import type { ConfigFile, ConfigLayer, FileIdentity, ProjectFile, Trust } from './layer.ts';

/** A key that a project's file may set without trust, where its value is stricter than the user's own. */
interface Tightening {
  /** A star matches any key. */
  path: PlanPath;
  /** `own` is the value of the user's file or the default; undefined where neither has one. */
  tightens: (value: unknown, own: unknown) => boolean;
}

const always = (): boolean => true;
const is =
  (expected: unknown) =>
  (value: unknown): boolean =>
    value === expected;
const isLower = (value: unknown, own: unknown): boolean =>
  typeof value === 'number' && (own === undefined || (typeof own === 'number' && value < own));
const isHigher = (value: unknown, own: unknown): boolean =>
  typeof value === 'number' && typeof own === 'number' && value > own;

/** Everything that an untrusted folder may set. Any other key needs trust. */
const tightenings: readonly Tightening[] = [
  { path: ['gates', 'ask'], tightens: always },
  { path: ['gates', 'deny'], tightens: always },
  { path: ['planApproval'], tightens: is(true) },
  { path: ['approval'], tightens: is('manual') },
  { path: ['approval', 'mode'], tightens: is('manual') },
  { path: ['sandbox', 'mode'], tightens: is('require') },
  { path: ['sandbox', 'network'], tightens: is(false) },
  { path: ['budget', '*'], tightens: isLower },
  { path: ['limits', 'goalCostUsd'], tightens: isLower },
  { path: ['maxParallelSubtasks'], tightens: isLower },
  { path: ['escalationPause'], tightens: isLower },
  { path: ['verification', 'default'], tightens: isHigher },
];

/** The effect of one key of an untrusted file: it tightens, it changes nothing, or it needs trust. */
type TrustEffect = 'tightens' | 'none' | 'needs-trust';

function resolveEffect(path: PlanPath, whole: ConfigLayer, own: Config): TrustEffect {
  const value = valueAt(whole.values, path);
  // A default that is not written into the config holds all the same: new plans are bounded without a word of the user.
  const ownValue = valueAt(own, path) ?? valueAt(impliedConfig(), path);
  if (changesNothing(path, value, ownValue)) return 'none';
  const rule = tightenings.find((each) => fits(each.path, path));
  return rule?.tightens(value, ownValue) === true ? 'tightens' : 'needs-trust';
}

const fits = (pattern: PlanPath, path: PlanPath): boolean =>
  pattern.length === path.length && pattern.every((name, index) => name === '*' || name === path[index]);

/** Rules of gates add up over all layers, so a list changes nothing where each of its rules already applies. */
function changesNothing(path: PlanPath, value: unknown, own: unknown): boolean {
  if (path[0] === 'gates' && Array.isArray(value)) {
    const ownRules: readonly unknown[] = Array.isArray(own) ? own : [];
    return value.every((rule) => ownRules.includes(rule));
  }
  return value !== undefined && JSON.stringify(value) === JSON.stringify(resolveOwnValue(path, own));
}

/** A mode alone means the same as a table with only that mode. */
const resolveOwnValue = (path: PlanPath, own: unknown): unknown =>
  fits(['approval'], path) && isTable(own) ? own['mode'] : own;

/** Lists the paths of all single values of a source, in its order. An empty table has none. */
function listLeafPaths(value: unknown, path: PlanPath = []): PlanPath[] {
  if (!isTable(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => listLeafPaths(inner, [...path, key]));
}

/** Reads a project's file before its user was asked about trust: it can only tighten the user's own settings `own`. */
export function untrustedFile(
  { path, identity, whole }: Pick<ProjectFile, 'path' | 'identity' | 'whole'>,
  own: Config,
): ProjectFile {
  const effects = listLeafPaths(whole.raw).map((leaf) => ({ leaf, effect: resolveEffect(leaf, whole, own) }));
  const sensitive = effects.filter(({ effect }) => effect === 'needs-trust').map(({ leaf }) => leaf);
  const dropped = effects.filter(({ effect }) => effect !== 'tightens').map(({ leaf }) => leaf);
  const layer = opensWeb(completeGates(own)) ? withoutParts(whole, dropped) : withoutWeb(withoutParts(whole, dropped));
  return { kind: 'project', path, identity, whole, sensitive, trust: 'unknown', layer };
}

const completeGates = ({ gates }: Config): GateRules => ({ ...defaultGuards.gates, ...gates });

/** A question about hosts would bring the tool that asks it, so it holds only where the user has opened the web. */
function withoutWeb(layer: ConfigLayer): ConfigLayer {
  const path = ['gates', 'ask'];
  const rules: unknown = valueAt(layer.raw, path);
  if (!Array.isArray(rules) || !rules.some(isWeb)) return layer;
  const rest = rules.filter((rule) => !isWeb(rule));
  if (rest.length === 0) return withoutParts(layer, [path]);
  const narrow = <T extends object>(table: T): T => {
    const gates: unknown = valueAt(table, ['gates']);
    return { ...table, gates: { ...(isTable(gates) ? gates : {}), ask: rest } };
  };
  return { ...layer, raw: narrow(layer.raw), values: narrow(layer.values) };
}

const isWeb = (rule: unknown): boolean => typeof rule === 'string' && isWebRule(rule);

/** Returns the file with its trust. */
export const withTrust = (file: ProjectFile, trust: Trust): ProjectFile =>
  trust === 'trusted' ? { ...file, trust, layer: file.whole } : { ...file, trust };

function withoutParts({ raw, values, originOf }: ConfigLayer, paths: readonly PlanPath[]): ConfigLayer {
  const bare = <T extends object>(table: T): T => paths.reduce<T>((rest, path) => without(rest, path), table);
  return { raw: bare(raw), values: bare(values), originOf };
}

/** Returns a copy without the value at the path, and without the tables that this empties. */
function without<T extends object>(table: T, [key = '', ...inner]: PlanPath): T {
  if (!Object.hasOwn(table, key)) return table;
  const copy = { ...table };
  const value: unknown = Reflect.get(table, key);
  const rest = inner.length > 0 && isTable(value) ? without(value, inner) : {};
  if (Object.keys(rest).length === 0) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, rest);
  return copy;
}

/** A project file whose sensitive settings have no effect yet. */
type UntrustedFile = ProjectFile & { trust: Exclude<Trust, 'trusted'> };

export const isUntrusted = (file: ConfigFile): file is UntrustedFile =>
  file.kind === 'project' && file.sensitive.length > 0 && file.trust !== 'trusted';

/** Returns the files for a command that uses all of their settings. Throws `CONFIG_NOT_TRUSTED`, unless `isTrusted` accepts this content. */
export function trustedFiles(
  files: readonly ConfigFile[],
  isTrusted: (identity: FileIdentity) => boolean,
): ConfigFile[] {
  return files.map((file) => {
    if (!isUntrusted(file)) return file;
    if (!isTrusted(file.identity)) throw notTrusted(file);
    return withTrust(file, 'trusted');
  });
}

/** Returns the project file that the starter vouches for: the content that it read, at the path that it read it from. */
export function trustedIdentity(files: readonly ConfigFile[]): FileIdentity | undefined {
  const project = files.find((file) => file.kind === 'project');
  return project?.trust === 'trusted' && project.sensitive.length > 0 ? project.identity : undefined;
}

const refusals: Readonly<Record<Exclude<Trust, 'trusted'>, { code: ErrorCode; reason: string }>> = {
  unknown: { code: 'CONFIG_NOT_TRUSTED', reason: 'is not trusted' },
  changed: { code: 'CONFIG_NOT_TRUSTED', reason: 'has changed since you trusted it' },
  damaged: { code: 'TRUST_DAMAGED', reason: 'is not trusted, because the record of what you trust is damaged' },
};

function notTrusted({ trust, sensitive, whole }: UntrustedFile): HeddleError {
  const { code, reason } = refusals[trust];
  const keys = sensitive.map((path) => `\`${formatPath(path)}\``);
  return new HeddleError({
    code,
    message: `This project's heddle.toml ${reason}, and it sets ${formatList(keys, keys.length)}.`,
    where: sensitive.map((path) => `${whole.originOf(path).place} (${formatPath(path)})`).join(', '),
    hint: 'Look at it with `heddle config`; if you trust it, run `heddle trust` in its folder. For one command: HEDDLE_TRUST=1.',
  });
}
