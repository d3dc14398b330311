import { judgeShell } from '../../../domain/gates/judge-shell.ts';
import { mayExist } from '../../files/may-exist.ts';
import { resolveLinks } from '../../files/resolve-links.ts';
import type { Variables } from '../../programs/base-environment.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { watchCommands } from '../../repositories/watch-commands.ts';
import { openCommands } from '../../sandbox/open-commands.ts';
import type { Definition } from '../../task/plan-pages.ts';
import { ownFolders } from '../../xdg.ts';
import type { Confinement } from './run-confined.ts';

interface CheckPlace {
  /** Whose check it is. */
  writer: { task: string; subtask: string };
  /** Heddle's home. */
  root: string;
  workspace: string;
  env: Variables;
  /** Of every process that a command starts. */
  mark: string;
  redactor: Redactor;
}

/** Where the checks run that a model planned. `asked`: those that a person said yes to; the others pass the gate once more, as things are now. */
export async function confineChecks(
  { sandbox, readRoots, gates: rules }: Pick<Definition, 'sandbox' | 'readRoots' | 'gates'>,
  asked: ReadonlySet<string>,
  { root, writer, ...place }: CheckPlace,
): Promise<Confinement> {
  const own = ownFolders(root, place.env);
  const open = await openCommands(sandbox, { ...place, readRoots, hidden: own });
  const { workspace, env } = place;
  const watched = { ...writer, root, workspace, hidden: own, path: env['PATH'] ?? '' };
  const port = await watchCommands(open, { ...watched, onChange: () => undefined });
  const facts = {
    workspace,
    readRoots,
    forbidden: own.map((folder) => resolveLinks(folder, '/')),
    sandboxed: port.sandboxed,
    reachesMachine: port.reachesMachine,
    walled: port.walled,
    rules,
    allowed: [],
    resolve: resolveLinks,
    exists: mayExist,
  };
  return {
    port,
    refusal: (command) => {
      if (asked.has(command)) return undefined;
      const verdict = judgeShell(command, facts);
      return verdict.kind === 'allow' ? undefined : verdict.why;
    },
  };
}
