import type { GateFacts } from '../../domain/types/basic/gate.ts';
import { mayExist } from '../system/may-exist.ts';
import { resolveLinks } from '../files/resolve-links.ts';
import type { CommandPort } from '../sandbox/command.ts';
import type { Attempt } from './attempt.ts';

/** Collects the facts by which the gates of an attempt decide. */
export function gateFacts(
  { workspace, readRoots, agent, gates }: Attempt,
  { own, commands }: { own: readonly string[]; commands: Pick<CommandPort, 'sandboxed' | 'reachesMachine' | 'walled'> },
): GateFacts {
  return {
    workspace,
    readRoots,
    forbidden: own.map((folder) => resolveLinks(folder, '/')),
    sandboxed: commands.sandboxed,
    reachesMachine: commands.reachesMachine,
    walled: commands.walled,
    rules: gates,
    allowed: agent.allowed ?? [],
    resolve: resolveLinks,
    exists: mayExist,
  };
}
