import { randomUUID } from 'node:crypto';
import { gitFoldersOfShell } from '../../domain/gates/git/find-git-folders.ts';
import type { GateFacts, GateRuling } from '../../domain/types/basic/gate.ts';
import { Redactor } from '../redact/redactor.ts';
import type { PublicEnvironment } from '../redact/secrets.ts';
import { openCommands } from '../sandbox/open-commands.ts';
import { assessRepositories } from '../tools/shell/assess-repositories.ts';

/** Reads, as for a command of an agent, which programs a verify command's git would run by the settings of a repository. */
export async function checkRepositories(
  command: string,
  facts: GateFacts,
  environment: PublicEnvironment,
): Promise<GateRuling> {
  const { workspace } = facts;
  const folders = facts.sandboxed ? [] : gitFoldersOfShell(command, facts);
  if (folders.length === 0) return { kind: 'allow' };
  const place = {
    workspace,
    readRoots: [],
    hidden: [],
    environment,
    mark: `HEDDLE_LOOK=${randomUUID()}`,
    redactor: Redactor.none,
  };
  const commands = await openCommands({ mode: 'off', network: false }, place);
  return assessRepositories(folders, { workspace, commands, signal: new AbortController().signal }, { byShell: true });
}
