import type { ErrorCode } from '../error-codes.ts';
import { HeddleError } from '../heddle-error.ts';
import { isTable } from '../source/is-table.ts';
import { sayPath, valueAt, type PlanPath } from '../source/problem.ts';
import { sayList } from '../text/text.ts';
import type { ConfigFile, ConfigLayer, FileIdentity, ProjectFile, Trust } from './layer.ts';

/** What could send keys elsewhere, take walls down, start programs unasked, or turn models against their user: in a project's file it has no effect until its user trusts the file. */
const sensitivePaths: readonly PlanPath[] = [
  ['providers'],
  ['sandbox'],
  ['gates', 'allow'],
  ['mcp'],
  ['webhooks'],
  ['tools'],
  ['prompts'],
];

/** Those that a source has, in this order. What is empty says nothing. */
export const sensitiveIn = (raw: Record<string, unknown>): PlanPath[] =>
  sensitivePaths.filter((path) => !isEmpty(valueAt(raw, path)));

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A project's file as it counts: what needs trust has effect only with it. */
export function projectFile(
  { path, identity, whole }: Pick<ProjectFile, 'path' | 'identity' | 'whole'>,
  trust: Trust,
): ProjectFile {
  const sensitive = sensitiveIn(whole.raw);
  const layer = trust === 'trusted' ? whole : withoutParts(whole, sensitive);
  return { kind: 'project', path, identity, whole, sensitive, trust, layer };
}

function withoutParts({ raw, values, originOf }: ConfigLayer, paths: readonly PlanPath[]): ConfigLayer {
  const bare = <T extends object>(table: T): T => paths.reduce<T>((rest, path) => without(rest, path), table);
  return { raw: bare(raw), values: bare(values), originOf };
}

function without<T extends object>(table: T, [key = '', ...inner]: PlanPath): T {
  if (!Object.hasOwn(table, key)) return table;
  const copy = { ...table };
  const value: unknown = Reflect.get(table, key);
  if (inner.length === 0) Reflect.deleteProperty(copy, key);
  else if (isTable(value)) Reflect.set(copy, key, without(value, inner));
  return copy;
}

/** A file that says what it may not say yet. */
type UntrustedFile = ProjectFile & { trust: Exclude<Trust, 'trusted'> };

export const isUntrusted = (file: ConfigFile): file is UntrustedFile =>
  file.kind === 'project' && file.sensitive.length > 0 && file.trust !== 'trusted';

/** The files for whoever uses all that they say. Throws `CONFIG_NOT_TRUSTED`, unless `isTrusted` vouches for this very content. */
export function trustedFiles(
  files: readonly ConfigFile[],
  isTrusted: (identity: FileIdentity) => boolean,
): ConfigFile[] {
  return files.map((file) => {
    if (!isUntrusted(file)) return file;
    if (!isTrusted(file.identity)) throw notTrusted(file);
    return projectFile(file, 'trusted');
  });
}

/** What a starter vouches for: the content that it saw, where it saw it. */
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
  const tables = sensitive.map((path) => `\`${sayPath(path)}\``);
  return new HeddleError({
    code,
    message: `This project's heddle.toml ${reason}, and it sets ${sayList(tables, tables.length)}.`,
    where: sensitive.map((path) => `${whole.originOf(path).place} (${sayPath(path)})`).join(', '),
    hint: 'Look at it with `heddle config`; if you trust it, run `heddle trust` in its folder. For one command: HEDDLE_TRUST=1.',
  });
}
