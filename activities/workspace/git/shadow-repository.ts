import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { deflateSync } from 'node:zlib';

import { leftBehind } from '../../../domain/agent-clis/left-behind.ts';
import { generatedNames } from '../../../domain/workspace/generated-folders.ts';
import { findOwnProgram, ownPath } from '../../programs/own-programs.ts';
import { ensureFolder, replaceFile } from '../../system/durable-file.ts';
import { workspaceFiles, workspaceFolder } from '../../home/home-layout.ts';
import type { GitPlace } from './git-process.ts';
import { runOwnGit, type GitAnswer, type GitOptions } from './run-git.ts';
import { bytesOf, toKey, type PathKey } from './path-key.ts';
import { temporaryPrefix } from './write-entry.ts';

/** Grows when what stands in the folder changes its meaning. */
const format = 3;

/** Bytes go in and out as they are; nothing of the user's settings counts, and nothing runs by itself. */
const config = `[core]
\trepositoryformatversion = 0
\tbare = false
\tfilemode = true
\tsymlinks = true
\tautocrlf = false
\tsafecrlf = false
\tlogallrefupdates = false
\tpreloadindex = true
\tuntrackedcache = false
\tfsmonitor = false
\tprotectNTFS = false
\tprotectHFS = false
\tquotepath = false
\tsplitIndex = true
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
[index]
\tversion = 4
[gc]
\tauto = 0
[maintenance]
\tauto = false
[diff]
\tignoreSubmodules = all
[protocol]
\tallow = never
[heddle]
\tformat = ${format}
`;

/** These win over any `.gitattributes` in the workspace. */
const attributes = '* -text -eol -crlf -filter -ident -working-tree-encoding\n';

/** Its id, which all repositories have in common. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export interface RepositoryParts {
  /** Heddle's home. */
  root: string;
  /** Absolute, symlinks resolved. */
  workspace: string;
  /** The PATH on which git is looked for. */
  path: string;
}

/** A git directory of our own that has the workspace as its work tree: the user's `.git` is never read or written. */
export class ShadowRepository {
  readonly workspace: string;
  readonly folder: string;
  readonly gitDir: string;
  readonly index: string;
  readonly #root: string;
  readonly #place: GitPlace;

  constructor({ root, workspace, path }: RepositoryParts) {
    this.#root = root;
    this.workspace = workspace;
    this.folder = workspaceFolder(root, workspace);
    this.gitDir = workspaceFiles(this.folder).git;
    this.index = join(this.gitDir, 'index');
    this.#place = {
      cwd: workspace,
      program: findOwnProgram('git', { path, workspace }),
      env: {
        PATH: ownPath(path, workspace),
        LC_ALL: 'C',
        HOME: this.folder,
        GIT_DIR: this.gitDir,
        GIT_WORK_TREE: workspace,
        GIT_INDEX_FILE: this.index,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_LITERAL_PATHSPECS: '1',
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_TERMINAL_PROMPT: '0',
      },
    };
  }

  /** True once any file was taken in: git writes its index with the first. */
  get hasIndex(): boolean {
    return existsSync(this.index);
  }

  get isThere(): boolean {
    return existsSync(join(this.gitDir, 'heddle'));
  }

  git(args: readonly string[], options: GitOptions & { env?: Record<string, string> }): Promise<GitAnswer> {
    const env = options.env === undefined ? this.#place.env : { ...this.#place.env, ...options.env };
    // Commands that need no work tree go on when the workspace is gone.
    const cwd = existsSync(this.workspace) ? this.#place.cwd : this.gitDir;
    return runOwnGit({ ...this.#place, cwd, env }, args, options);
  }

  /** Makes it where it is not there yet. Only under the workspace's lock. */
  async make(): Promise<void> {
    // A git that was killed leaves its lock behind; under our own lock nobody else can hold it.
    await rm(`${this.index}.lock`, { force: true });
    if (this.isThere && (await readFile(join(this.gitDir, 'heddle'), 'utf8')) === `${format}\n`) return;
    await ensureFolder(this.folder);
    if (this.isThere) return this.#renew();
    // Half a repository is of no use to anybody, and nothing refers to it.
    await rm(this.gitDir, { recursive: true, force: true });
    // As `git init` would, without a process for it.
    for (const folder of ['info', 'objects', 'refs/heddle'])
      await mkdir(join(this.gitDir, folder), { recursive: true });
    await writeFile(join(this.gitDir, 'HEAD'), 'ref: refs/heads/main\n');
    await this.#renew();
  }

  /** Renews a repository of an older format: its objects stay, its index may hold what the present one does not take. */
  async #renew(): Promise<void> {
    await rm(this.index, { force: true });
    await writeFile(join(this.gitDir, 'info', 'attributes'), attributes);
    await writeFile(this.exclude, this.#buildExclude([]));
    await writeFile(join(this.gitDir, 'config'), config);
    await replaceFile(join(this.gitDir, 'heddle'), `${format}\n`, { durable: true });
  }

  /** The rules of our own, which give way to a `.gitignore` of the workspace. */
  get exclude(): string {
    return join(this.gitDir, 'info', 'exclude');
  }

  /** Leaves out generated folders but these. Tells whether that is a change. Only under the workspace's lock. */
  async keepGenerated(kept: readonly PathKey[]): Promise<boolean> {
    const text = this.#buildExclude(kept);
    if (existsSync(this.exclude) && (await readFile(this.exclude)).equals(text)) return false;
    await replaceFile(this.exclude, text, { durable: false });
    return true;
  }

  #buildExclude(kept: readonly PathKey[]): Buffer {
    const folders = generatedNames.map((name) => `${name}/`);
    const patterns = [`${temporaryPrefix}*`, ...leftBehind, ...folders];
    const lines = [...patterns, ...[...kept].sort().map((path) => `!/${escapePattern(path)}/`)];
    return bytesOf(`${lines.map((line) => `${line}\n`).join('')}${this.#ownFolder()}`);
  }

  /** The tree of an index that was never written. */
  async emptyTree(): Promise<string> {
    const object = join(this.gitDir, 'objects', emptyTree.slice(0, 2), emptyTree.slice(2));
    if (!existsSync(object)) {
      await mkdir(dirname(object), { recursive: true });
      await replaceFile(object, deflateSync('tree 0\0'), { durable: false });
    }
    return emptyTree;
  }

  /** Keeps a tree and all that is in it from being collected. A ref of our own namespace may name a tree. */
  async keep(tree: string): Promise<void> {
    const ref = join(this.gitDir, 'refs', 'heddle', tree);
    if (existsSync(ref)) return;
    await mkdir(join(this.gitDir, 'refs', 'heddle'), { recursive: true });
    await replaceFile(ref, `${tree}\n`, { durable: false });
  }

  /** Heddle's home may lie in the workspace: a snapshot must not hold itself. */
  #ownFolder(): string {
    const inside = relative(this.workspace, this.#root);
    if (inside === '' || inside.startsWith('..')) return '';
    return `/${escapePattern(toKey(inside.split(sep).join('/')))}/\n`;
  }
}

const escapePattern = (path: PathKey): string => path.replace(/[\\*?[\]!# ]/g, '\\$&');
