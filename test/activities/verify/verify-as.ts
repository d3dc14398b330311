import { resolve } from 'node:path';
import { runChecks } from '../../../activities/verify/run-checks.ts';
import { attemptPaths } from '../../../activities/home/home-layout.ts';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import type { Checks } from '../../../domain/types/attempt.ts';
import { subtask } from '../execute/program/support-subtask.ts';

/** The checks of one workspace in a process of its own, whoever it runs as; prints the verdict. */
export async function verifyAs(base: string, asked: string): Promise<void> {
  const store = new FileStore(resolve(base, 'home', 'store'));
  const key = {
    taskId: 'demo',
    subtaskId: 'draft',
    attempt: 1,
    chain: 'chain-1',
    startedAt: '2026-01-01T00:00:00.000Z',
  };
  const findings = await runChecks(
    {
      workspace: resolve(base, 'outer', 'workspace'),
      checks: subtask('draft', JSON.parse(asked) as Partial<Checks>),
      execution: { kind: 'finished', preview: 'done', stdout: await store.put('done'), stdoutBytes: 4, ...unused },
      before: null,
    },
    {
      store,
      paths: attemptPaths(resolve(base, 'home'), key, 'test'),
      env: {},
      commandTimeout: 10_000,
      killGrace: 1_000,
      inspectTimeout: 5_000,
      redactor: Redactor.none,
      signal: new AbortController().signal,
      onCheck: () => undefined,
    },
  );
  process.stdout.write(JSON.stringify(findings));
}

const unused = { used: { costUsd: 0, tokens: 0 }, reruns: 0 };
