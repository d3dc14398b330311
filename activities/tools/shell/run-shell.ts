import * as z from 'zod';
import { placesOfShell } from '../../../domain/gates/findings/find-places.ts';
import { gitFoldersOfShell } from '../../../domain/gates/git/find-git-folders.ts';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { clip, oneLine } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { outcomeOfCommand } from './command-outcome.ts';
import { formatChangedSince } from './changed-since.ts';
import { assessRepositories } from './assess-repositories.ts';
import type { MutatingTool } from '../common/tool.ts';

const { timeout, ending, length } = activityLimits.commands;

const schema = z.strictObject({ command: z.string().min(1).max(length) });

type Args = z.infer<typeof schema>;

/** Characters of a command in what a person is asked. */
const named = 200;

/** Bash where there is one: it is what models write for. */
const byShell = 'if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; fi; exec sh -c "$1"';

export const runShell: MutatingTool<Args> = {
  name: 'shell',
  description:
    'Runs a bash command in the workspace, at most 2 minutes. Files written elsewhere and processes left running are gone afterwards.',
  kind: 'mutates',
  schema,
  timeout: timeout + ending,
  interruptible: true,
  places: ({ command }, { gates }) => placesOfShell(command, gates),
  assess: async ({ command }, context) => {
    const verdict = assessShell(command, context.gates);
    if (verdict.kind !== 'allow') return verdict;
    return assessRepositories(gitFoldersOfShell(command, context.gates), context, { byShell: true });
  },
  plan: ({ command }) =>
    Promise.resolve({ action: `run \`${clip(oneLine(command), named)}\``, files: [], command: { at: Date.now() } }),
  perform: async ({ command }, _, { commands, signal }) =>
    outcomeOfCommand(await commands.run({ argv: ['sh', '-c', byShell, 'sh', command], timeout, signal }), timeout),
  // A command may have changed anything, or nothing.
  settle: () => Promise.resolve('unclear'),
  evidence: ({ command }, context) => formatChangedSince(context, command?.at ?? 0, context.signal),
};
