import { gitFoldersOfShell } from '../../../domain/gates/git/find-git-folders.ts';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { mayExist } from '../../system/may-exist.ts';
import { resolveLinks } from '../../files/resolve-links.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { watchCommands } from '../../repositories/watch-commands.ts';
import type { CommandPort } from '../../sandbox/command.ts';
import { openCommands } from '../../sandbox/open-commands.ts';
import { assessRepositories } from '../../tools/shell/assess-repositories.ts';
import type { Definition } from '../../pages/plan-pages.ts';
import { ownFolders } from '../../home/xdg.ts';
import type { ConfinedChecks } from './run-confined.ts';

export interface CheckPlace {
  /** The subtask that is checked. */
  writer: { task: string; subtask: string };
  /** Heddle's home. */
  root: string;
  workspace: string;
  environment: PublicEnvironment;
  /** Marks every process that a command starts. */
  mark: string;
  redactor: Redactor;
}

/** Opens where checks run in a sandbox, or with the gates alone where there is none. Repositories that they make are looked after. */
export async function openChecks(
  { sandbox, readRoots }: Pick<Definition, 'sandbox' | 'readRoots'>,
  { root, writer, ...place }: CheckPlace,
): Promise<CommandPort> {
  const own = ownFolders(root, place.environment);
  const open = await openCommands(sandbox, { ...place, readRoots, hidden: own });
  const { workspace, environment } = place;
  const mostFolders = activityLimits.repositories.folders;
  const watched = { ...writer, root, workspace, hidden: own, path: environment.PATH ?? '', mostFolders };
  return watchCommands(open, { ...watched, onChange: () => undefined });
}

/** Opens the place where the checks of a model's plan run. `asked`: those that a person said yes to; the others pass the gate once more, as things are now. */
export async function confineChecks(
  definition: Pick<Definition, 'sandbox' | 'readRoots' | 'gates'>,
  approvedCommands: ReadonlySet<string>,
  place: CheckPlace,
): Promise<ConfinedChecks> {
  const port = await openChecks(definition, place);
  const { readRoots, gates: rules } = definition;
  const facts = {
    workspace: place.workspace,
    readRoots,
    forbidden: ownFolders(place.root, place.environment).map((folder) => resolveLinks(folder, '/')),
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
    refusal: async (command, signal) => {
      if (approvedCommands.has(command)) return undefined;
      const byText = assessShell(command, facts);
      if (byText.kind !== 'allow') return byText.why;
      const folders = gitFoldersOfShell(command, facts);
      const bySettings = await assessRepositories(
        folders,
        { workspace: place.workspace, commands: port, signal },
        { byShell: true },
      );
      return bySettings.kind === 'allow' ? undefined : bySettings.why;
    },
  };
}
