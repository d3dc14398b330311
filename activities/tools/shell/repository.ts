import type { RepositoryState } from '../../../domain/conversation/effect.ts';
import { gitOptions, gitVariables, namedPrograms } from '../../../domain/workspace/git-programs.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Command, CommandPort, CommandResult } from '../../sandbox/command.ts';

/** The workspace whose repository git works on, and its ports. */
export interface RepositoryPlace {
  workspace: string;
  commands: CommandPort;
  signal: AbortSignal;
}

const { timeout } = activityLimits.commands;

/** One call of git; `args` are those after its own options. */
export function runGitCommand(args: readonly string[], context: RepositoryPlace): Promise<CommandResult> {
  return run(['git', ...gitOptions(context.workspace, context.commands), ...args], context);
}

const run = (
  argv: readonly string[],
  { workspace, commands, signal }: RepositoryPlace,
  kind: Pick<Command, 'looks'> = {},
): Promise<CommandResult> => commands.run({ argv, env: gitVariables(workspace), timeout, signal, ...kind });

/** Four lines: HEAD, the commit before it, all refs, what is staged. Lists are hashed where they are made, however long. */
const look = `
git "$@" rev-parse -q --verify HEAD || echo -
git "$@" rev-parse -q --verify HEAD^ || echo -
git "$@" for-each-ref --format='%(refname) %(objectname)' | git hash-object --stdin
git "$@" ls-files --stage | git hash-object --stdin
`;

/** Null where the workspace has no repository, or it cannot be read. */
export async function readRepository(context: RepositoryPlace): Promise<RepositoryState | null> {
  const options = [...gitOptions(context.workspace, context.commands), '--no-optional-locks'];
  const result = await run(
    ['sh', '-c', `git "$@" rev-parse --git-dir >/dev/null || exit 1${look}`, 'sh', ...options],
    context,
    { looks: true },
  );
  if (result.kind !== 'exited' || result.exit !== 0) return null;
  const [head, parent, refs, index] = result.output.head
    .split('\n')
    .filter((line) => /^(?:-|[0-9a-f]{40,64})$/.test(line));
  if (head === undefined || parent === undefined || refs === undefined || index === undefined) return null;
  const orNull = (hash: string): string | null => (hash === '-' ? null : hash);
  return { head: orNull(head), parent: orNull(parent), refs, index };
}

/**
 * Programs that the settings of the repository itself name, as git finds it in `folder`; what a person has in settings of their own is theirs.
 * Undefined where they cannot be read as a whole.
 */
export async function readNamedPrograms(
  context: RepositoryPlace,
  { folder = context.workspace, byShell = false }: { folder?: string; byShell?: boolean } = {},
): Promise<string[] | undefined> {
  const options = gitOptions(context.workspace, context.commands);
  const result = await context.commands.run({
    argv: ['git', ...options, '-C', folder, 'config', '--list', '--show-scope', '--name-only', '-z'],
    // A git that a shell starts also finds a repository above the workspace.
    ...(byShell ? {} : { env: gitVariables(context.workspace) }),
    timeout,
    signal: context.signal,
    looks: true,
  });
  if (result.kind !== 'exited' || result.exit !== 0 || result.output.dropped > 0) return undefined;
  const fields = `${result.output.head}${result.output.tail}`.split('\0');
  const own = fields.flatMap((scope, index) => (/^(?:local|worktree)$/.test(scope) ? [fields[index + 1] ?? ''] : []));
  return namedPrograms(own, { byShell });
}
