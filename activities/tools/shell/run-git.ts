import * as z from 'zod';
import { placesOfGit } from '../../../domain/gates/findings/find-places.ts';
import { gitFoldersOfCall } from '../../../domain/gates/git/find-git-folders.ts';
import { assessGit } from '../../../domain/gates/assess-git.ts';
import { clip, oneLine } from '../../../domain/text/text.ts';
import { readGitChanges, findSubcommand, formatMoved, settleGit } from '../../../domain/workspace/git-effect.ts';
import { withoutPrograms } from '../../../domain/workspace/git-programs.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { outcomeOfCommand } from './command-outcome.ts';
import { formatChangedSince } from './changed-since.ts';
import { assessRepositories } from './assess-repositories.ts';
import { readRepository, runGitCommand } from './repository.ts';
import type { MutatingTool } from '../common/tool.ts';

const { timeout, ending, arguments: mostArguments, argument } = activityLimits.commands;

const schema = z.strictObject({ args: z.array(z.string().max(argument)).min(1).max(mostArguments) });

type Args = z.infer<typeof schema>;

/** Characters of a call in what a person is asked. */
const named = 200;

export const runGit: MutatingTool<Args> = {
  name: 'git',
  description: 'Runs git in the workspace: no shell, no editor.',
  kind: 'mutates',
  schema,
  timeout: timeout + ending,
  interruptible: true,
  places: ({ args }, { gates }) => placesOfGit(args, gates),
  assess: async ({ args }, context) => {
    const verdict = assessGit(args, context.gates);
    if (verdict.kind !== 'allow') return verdict;
    return assessRepositories(gitFoldersOfCall(args, context.gates), context, { byShell: false });
  },
  plan: async ({ args }, context) => {
    const changes = readGitChanges(args);
    const before = changes === 'nothing' ? null : await readRepository(context);
    return {
      action: `run \`${clip(oneLine(['git', ...args].join(' ')), named)}\``,
      files: [],
      command: { at: Date.now(), git: { changes, before } },
    };
  },
  perform: async ({ args }, _, context) => {
    const result = await runGitCommand(withoutPrograms(args, findSubcommand(args)), context);
    return outcomeOfCommand(result, timeout);
  },
  settle: async ({ command }, context) => {
    const { changes, before } = command?.git ?? unknown;
    return settleGit(changes, before, changes === 'nothing' ? null : await readRepository(context));
  },
  evidence: async ({ command }, context) => {
    const { before } = command?.git ?? unknown;
    const moved = formatMoved(before, before === null ? null : await readRepository(context));
    return `${moved} ${await formatChangedSince(context, command?.at ?? 0, context.signal)}`;
  },
};

/** Stands for the facts of an effect that were not written down. */
const unknown = { changes: 'more', before: null } as const;
