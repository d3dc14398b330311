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
    signal: new AbortController().signal,
  };
}
