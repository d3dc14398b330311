import * as z from 'zod';
import type { Verdict } from '../../domain/model/gate.ts';
import { judgeGit } from '../../domain/gates/judge-git.ts';
import { clip, oneLine, sayList } from '../../domain/text/text.ts';
import { changesOfGit, findSubcommand, sayMoved, settleGit } from '../../domain/workspace/git-effect.ts';
import { withoutPrograms } from '../../domain/workspace/git-programs.ts';
import { activityLimits } from '../limits.ts';
import { outcomeOfCommand } from './command-outcome.ts';
import { sayChangedSince } from './commands/changed-since.ts';
import { readNamedPrograms, readRepository, runGitCommand } from './commands/repository.ts';
import type { MutatingTool, ToolPlace } from './tool.ts';

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
  judge: async ({ args }, place) => {
    const verdict = judgeGit(args, place.gates);
    return verdict.kind === 'allow' ? judgeSettings(place) : verdict;
  },
  plan: async ({ args }, place) => {
    const changes = changesOfGit(args);
    const before = changes === 'nothing' ? null : await readRepository(place);
    return {
      action: `run \`${clip(oneLine(['git', ...args].join(' ')), named)}\``,
      files: [],
      command: { at: Date.now(), git: { changes, before } },
    };
  },
  perform: async ({ args }, _, place) => {
    const result = await runGitCommand(withoutPrograms(args, findSubcommand(args)), place);
    return outcomeOfCommand(result, timeout);
  },
  settle: async ({ command }, place) => {
    const { changes, before } = command?.git ?? unknown;
    return settleGit(changes, before, changes === 'nothing' ? null : await readRepository(place));
  },
  evidence: async ({ command }, place) => {
    const { before } = command?.git ?? unknown;
    const moved = sayMoved(before, before === null ? null : await readRepository(place));
    return `${moved} ${await sayChangedSince(place, command?.at ?? 0, place.signal)}`;
  },
};

/** Of an effect that another version wrote down. */
const unknown = { changes: 'more', before: null } as const;

/** In the sandbox they can do little harm. */
async function judgeSettings(place: ToolPlace): Promise<Verdict> {
  const programs = place.commands.sandboxed ? [] : await readNamedPrograms(place);
  if (programs.length === 0) return { kind: 'allow' };
  const why = `The settings of the repository make git run programs (${sayList(programs)}), and there is no sandbox.`;
  return { kind: 'ask', danger: 'code', why, signature: null };
}
