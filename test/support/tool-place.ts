import { join } from 'node:path';

import { Artifacts } from '../../activities/artifacts/artifacts.ts';
import { FileStore } from '../../activities/store/file-store.ts';
import { mayExist } from '../../activities/system/may-exist.ts';
import { resolveLinks } from '../../activities/files/resolve-links.ts';
import { Redactor } from '../../activities/redact/redactor.ts';
import type { CommandPort } from '../../activities/sandbox/command.ts';
import { runCommand } from '../../activities/sandbox/run-command.ts';
import type { ToolContext } from '../../activities/tools/common/tool.ts';

/** Commands in a sandbox that a program makes, or beside everything else, as where there is none. */
export const commandsAt = (workspace: string, sandbox?: string): CommandPort => ({
  sandboxed: sandbox !== undefined,
  reachesMachine: false,
  keepsSettings: sandbox !== undefined,
  walled: sandbox !== undefined,
  run: (command) =>
    runCommand(command, {
      ...{ workspace, sandbox, readRoots: [], hidden: [], network: false },
      ...{ mark: `HEDDLE_TEST_MARK=${workspace}`, redactor: Redactor.none, environment: process.env },
    }),
});

/** The web without a rule that opens it, and a task that keeps nothing of it yet. */
export function outsideOf(home: string): Pick<ToolContext, 'web' | 'artifacts'> {
  const store = new FileStore(join(home, 'store'));
  const manifest = join(home, 'artifacts.jsonl');
  return {
    web: { internal: [], folder: join(home, 'pages'), redact: (text) => text },
    artifacts: new Artifacts({ manifest, store, subtask: 'draft', attempt: 1 }),
  };
}

/** A workspace as the loop gives it to tools. */
export function placeAt(workspace: string, commands: CommandPort = commandsAt(workspace)): ToolContext {
  return {
    workspace,
    readRoots: [],
    guarded: { own: [], programs: [] },
    fixedDeliverables: [],
    commands,
    gates: {
      ...{ workspace, readRoots: [], forbidden: [], allowed: [] },
      sandboxed: commands.sandboxed,
      walled: commands.walled,
      rules: { allow: [], ask: [], deny: [] },
      resolve: resolveLinks,
      exists: mayExist,
    },
    readOriginal: () => Promise.resolve(undefined),
    ...outsideOf(`${workspace}-home`),
    signal: new AbortController().signal,
  };
}
