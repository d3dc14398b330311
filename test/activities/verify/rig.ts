import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { stampDeliverables } from '../../../activities/files/stamp-deliverables.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { VerifyParts } from '../../../activities/verify/verify-subtask.ts';
import { createVerifySubtask } from '../../../activities/verify/verify-subtask.ts';
import type { Checks, Verdict, VerifyInput } from '../../../domain/model/attempt.ts';

/** What a test says of a verification; the rest is a subtask that asks for nothing. */
export interface Asked extends Partial<Checks> {
  stdout?: string;
  contract?: VerifyInput['contract'];
  before?: VerifyInput['before'];
}

/** A workspace, a store and the activity itself, on real folders that `remove` takes away. */
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

  stamp(...paths: string[]): Promise<VerifyInput['before']> {
    return stampDeliverables(this.workspace, paths);
  }

  async input({ stdout = 'done\n', contract, before = [], ...checks }: Asked): Promise<VerifyInput> {
    return {
      taskId: 'demo',
      subtaskId: 'draft',
      workspace: this.workspace,
      attempt: 2,
      checks: {
        deliverables: [],
        verify: [],
        requiredSections: [],
        rules: [],
        diff: false,
        contractCheck: 'off',
        allowPartial: false,
        ...checks,
      },
      stdout: await this.store.put(stdout),
      stdoutBytes: Buffer.byteLength(stdout),
      before,
      ...(contract === undefined ? {} : { contract }),
    };
  }

  async verify(
    asked: Asked,
    parts: Partial<VerifyParts> = {},
    environment = new MockActivityEnvironment(),
  ): Promise<Verdict> {
    const verifySubtask = createVerifySubtask({ store: this.store, root: this.home, env: process.env, ...parts });
    return environment.run(verifySubtask, await this.input(asked));
  }
}

/** `hard missing-sections` and the like, in order. */
export function codesOf(verdict: Verdict): string[] {
  return verdict.issues.map((issue) => `${issue.severity} ${issue.code}`);
}
