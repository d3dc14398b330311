import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { stampDeliverables } from '../../../activities/files/stamp-deliverables.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { VerifyParts } from '../../../activities/verify/verify-subtask.ts';
import { createVerifySubtask } from '../../../activities/verify/verify-subtask.ts';
import { attemptPaths } from '../../../activities/home/home-layout.ts';
import { writeRecord } from '../../../activities/attempt/running-record.ts';
import type { Checks, DependencyResult, Verdict, VerifyInput } from '../../../domain/types/attempt.ts';
import type { CompletionContract } from '../../../domain/types/basic/completion-contract.ts';
import type { PlanPageContent } from '../../../domain/types/plan.ts';
import type { Stamp } from '../../../domain/types/basic/ref.ts';
import { withoutGit } from '../execute/program/without-git.ts';
import { subtask } from '../execute/program/support-subtask.ts';

/** The parts of a verification that a test chooses; the rest is a subtask that asks for nothing. */
export interface Asked extends Partial<Checks> {
  stdout?: string;
  contract?: CompletionContract;
  /** The files before the attempt, as this machine knows them; unknown when absent. */
  before?: Stamp[];
  /** When the attempt began by this machine's clock. */
  openedAt?: number;
}

/** A workspace, a store and the activity itself, on real folders that `remove` takes away; no snapshots are taken. */
export class VerifyRig {
  readonly base: string;
  readonly workspace: string;
  readonly home: string;
  readonly store: FileStore;

  private constructor(base: string) {
    this.base = base;
    this.workspace = join(base, 'outer', 'workspace');
    this.home = join(base, 'home');
    this.store = new FileStore(join(this.home, 'store'));
  }

  static async make(): Promise<VerifyRig> {
    const rig = new VerifyRig(await realpath(await mkdtemp(join(tmpdir(), 'heddle-verify-'))));
    await mkdir(rig.workspace, { recursive: true });
    return rig;
  }

  remove(): Promise<void> {
    return rm(this.base, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.workspace, name);
  }

  async write(files: Record<string, string | Uint8Array>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(this.path(name)), { recursive: true });
      await writeFile(this.path(name), content);
    }
  }

  stamp(...paths: string[]): Promise<Stamp[]> {
    return stampDeliverables(this.workspace, paths);
  }

  async input({ stdout = 'done\n', contract, before, openedAt, ...checks }: Asked): Promise<VerifyInput> {
    const page: PlanPageContent = { goal: 'the goal', variables: [], subtasks: [subtask('draft', checks)] };
    const input: VerifyInput = {
      taskId: 'demo',
      subtaskId: 'draft',
      attempt: 2,
      // Processes of a verification are known by it: another test's must not be taken for them.
      chain: basename(this.base),
      startedAt: '2026-01-01T00:00:00.000Z',
      plan: await this.store.put(JSON.stringify(page)),
      workspace: this.workspace,
      execution: {
        kind: 'finished',
        preview: stdout.trimEnd(),
        stdout: await this.store.put(stdout),
        stdoutBytes: Buffer.byteLength(stdout),
        used: { costUsd: 0, tokens: 0 },
        reruns: 0,
        ...(contract === undefined ? {} : { contract }),
      },
    };
    if (before !== undefined || openedAt !== undefined) await this.#remember(input, before ?? [], openedAt);
    return input;
  }

  /** As an execution on this machine leaves it. */
  #remember(input: VerifyInput, before: Stamp[], openedAt?: number): Promise<void> {
    // The namespace of `MockActivityEnvironment`.
    const paths = attemptPaths(this.home, input, 'test');
    const { startedAt, execution } = input;
    const { used, reruns } = execution;
    const ended = { state: 'ended' as const, run: 'r', startedAt, schedule: 's', host: 'h', mark: 'm' };
    const record = {
      ...ended,
      reruns,
      used,
      before,
      outcome: execution,
      ...(openedAt === undefined ? {} : { openedAt }),
    };
    return writeRecord(paths, record, { durable: true });
  }

  /** The result that dependents get of a verdict that passed. */
  async result(verdict: Verdict): Promise<DependencyResult> {
    if (verdict.result === null) throw new Error(JSON.stringify(verdict));
    return JSON.parse((await this.store.get(verdict.result)).toString()) as DependencyResult;
  }

  async verify(
    asked: Asked,
    parts: Partial<VerifyParts> = {},
    environment = new MockActivityEnvironment(),
  ): Promise<Verdict> {
    return this.verifyInput(await this.input(asked), parts, environment);
  }

  verifyInput(
    input: VerifyInput,
    parts: Partial<VerifyParts> = {},
    environment = new MockActivityEnvironment(),
  ): Promise<Verdict> {
    const verifySubtask = createVerifySubtask({
      store: this.store,
      root: this.home,
      secrets: new EnvironmentSecrets(withoutGit()),
      ...parts,
    });
    return environment.run(verifySubtask, input);
  }
}

/** `hard missing-sections` and the like, in order. */
export function codesOf(verdict: Verdict): string[] {
  return verdict.issues.map((issue) => `${issue.severity} ${issue.code}`);
}
