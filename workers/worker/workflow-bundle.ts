import { bundleWorkflowCode, type BundleOptions, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFile, isBundleFile } from '../../activities/home/home-layout.ts';
import { bundleTarget, sourceHash } from './source-hash.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** `encoded`: failures of workflows keep their messages in a payload, for workers whose codec encrypts it. */
export type BundleKind = 'plain' | 'encoded';

/** The same for failures of activities, in the worker. It lies beside this file in a clone and in a package. */
export const failureConverterPath = fileURLToPath(
  new URL(`./failure-converter${extname(import.meta.url)}`, import.meta.url),
);

/** The bundle of an installed package, made when it is packed: Node does not strip types under node_modules, nor does the bundler. */
const prebuilt = (kind: BundleKind): string =>
  join(root, kind === 'plain' ? 'workflow-bundle.js' : 'workflow-bundle-encoded.js');

/** The bundle of a clone: all its homes, however fresh, share it. */
const ownCache = join(root, 'node_modules', '.cache', 'heddle');
const bundlesKept = 5;

/**
 * The workflow code as one file. Bundling takes longer than everything else at the start of a worker, so the result is kept
 * under a name made from all that it depends on; in `cacheFolder` when the clone itself cannot be written.
 */
export async function workflowBundle(cacheFolder: string, kind: BundleKind = 'plain'): Promise<{ codePath: string }> {
  if (existsSync(prebuilt(kind))) return { codePath: prebuilt(kind) };
  const hash = kind === 'plain' ? sourceHash() : `${sourceHash()}e`;
  const places = [ownCache, cacheFolder].map((folder) => bundleFile(folder, hash));
  const cachedPath = places.find((path) => existsSync(path));
  if (cachedPath !== undefined) return { codePath: cachedPath };
  const { code } = await bundleWorkflows(undefined, kind);
  const [own, other] = places;
  const codePath = await write(own, code).catch(() => write(other, code));
  return { codePath };
}

async function write(path: string | undefined, code: string): Promise<string> {
  if (path === undefined) throw new Error('there is no place for the workflow bundle');
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  await forgetOld(folder);
  return path;
}

/** Every change of the sources makes another one. */
async function forgetOld(folder: string): Promise<void> {
  const bundles = (await readdir(folder)).filter(isBundleFile).map((name) => join(folder, name));
  const ages = await Promise.all(bundles.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  const old = ages.sort((one, other) => other.at - one.at).slice(bundlesKept);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

export function bundleWorkflows(
  workflowsPath = join(root, 'workflows', 'index.ts'),
  kind: BundleKind = 'plain',
): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    ...(kind === 'plain' ? {} : { failureConverterPath }),
    workflowInterceptorModules: [join(root, 'workflows', 'shared', 'cancel-reason.ts')],
    preloadModules: [workflowsPath],
    logger: { ...silent, log: () => undefined },
    webpackConfigHook: keepSyntax,
  });
}

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

/** Keeps the syntax of the sources, and leaves out the path that webpack writes above each module: the source map has it. */
function keepSyntax(config: WebpackConfig): WebpackConfig {
  config.output = { ...config.output, pathinfo: false };
  for (const rule of config.module?.rules ?? []) if (compiles(rule)) rule.use.options.jsc.target = bundleTarget;
  return config;
}

const compiles = (rule: unknown): rule is { use: { options: { jsc: { target: string } } } } =>
  has(rule, 'use') && has(rule.use, 'options') && has(rule.use.options, 'jsc') && has(rule.use.options.jsc, 'target');

const has = <Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> =>
  typeof value === 'object' && value !== null && key in value;

const nothing = (): void => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: console.warn, error: console.error };
