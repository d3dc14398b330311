import { argv } from 'node:process';
import { Redactor } from '../../../activities/redact/redactor.ts';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import { runCommand } from '../../../activities/sandbox/run-command.ts';

/** The orders for a worker in a process of its own. */
export interface Errand {
  workspace: string;
  mark: string;
  scripts: string[];
  sandboxed: boolean;
}

/** Runs commands one after the other, and says of each how it ended and what it printed. */
async function work({ workspace, mark, scripts, sandboxed }: Errand): Promise<void> {
  const candidate = await findSandbox();
  const sandbox = sandboxed && candidate.kind === 'bubblewrap' ? candidate.program : undefined;
  if (sandboxed && sandbox === undefined) throw new Error('there is no sandbox');
  for (const script of scripts) {
    const result = await runCommand(
      { argv: ['bash', '-c', script], timeout: 20_000, signal: new AbortController().signal },
      {
        ...{ workspace, sandbox, mark, readRoots: [], hidden: [], network: false, redactor: Redactor.none },
        ...{ environment: process.env, most: { processes: 50, memory: 1024 ** 3, threads: 2_048 } },
      },
    );
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}

await work(JSON.parse(argv[2] ?? '') as Errand);
