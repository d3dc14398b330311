import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Redactor } from '../../../activities/redact/redactor.ts';
import type { Command, CommandResult } from '../../../activities/sandbox/command.ts';
import { findSandbox } from '../../../activities/sandbox/find-sandbox.ts';
import { runCommand, type CommandPlace } from '../../../activities/sandbox/run-command.ts';
import { eventually, temporaryFolder } from '../execute/program/support.ts';
import type { Variables } from '../../../activities/redact/secrets.ts';

const sandbox = await findSandbox();

/** The program that makes it, where it works. */
export const bubblewrap = sandbox.kind === 'bubblewrap' ? sandbox.program : undefined;

if (sandbox.kind === 'none') {
  // CI must not pass without having looked.
  if (process.env['HEDDLE_REQUIRE_SANDBOX'] === '1') throw new Error(`there is no sandbox: ${sandbox.why}`);
  process.stderr.write(`Tests of the sandbox are skipped: ${sandbox.why}.\n`);
}

type Given = Partial<Pick<Command, 'timeout' | 'signal'> & CommandPlace>;

export interface CommandRig {
  workspace: string;
  /** A home with `.ssh` and a store in it, which no command may see. */
  home: string;
  /** In the text of a command, it marks what the command starts. */
  mark: string;
  run: (argv: readonly string[], given?: Given) => Promise<CommandResult>;
  sh: (script: string, given?: Given) => Promise<CommandResult>;
  /** Its output and its end, in one line each. */
  runText: (script: string, given?: Given) => Promise<{ exit: number | string | null; text: string }>;
  /** Command lines of what still runs. */
  left: () => string[];
}

/** A workspace, a home, and commands in a sandbox or beside everything else. */
export async function makeCommandRig(sandbox: string | undefined, folder?: string): Promise<CommandRig> {
  const above = folder ?? (await temporaryFolder());
  const [workspace, home] = [join(above, 'work'), join(above, 'home')];
  for (const place of [workspace, home, join(home, '.ssh'), join(home, 'store')]) mkdirSync(place, { recursive: true });
  writeFileSync(join(home, '.ssh', 'id_rsa'), 'PRIVATE KEY\n');
  writeFileSync(join(home, 'store', 'object'), 'STORED\n');
  const mark = `heddle${randomBytes(8).toString('hex')}`;
  const left = (): string[] => commandLines().filter((line) => line.includes(mark) && !line.includes('vitest'));
  onTestFinished(async () => {
    if (!(await eventually(() => left().length === 0, 2_000))) throw new Error(`left running: ${left().join('; ')}`);
  });
  const environment: Variables = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, SECRET_TOKEN: 'sesame-open' };
  const run: CommandRig['run'] = (argv, given = {}) => {
    const { signal = new AbortController().signal, timeout = 20_000, ...place } = given;
    return runCommand(
      { argv, timeout, signal },
      {
        ...{ workspace, sandbox, readRoots: [], hidden: [home], network: false, redactor: Redactor.none },
        mark: `HEDDLE_TEST_MARK=${mark}`,
        environment,
        ...place,
      },
    );
  };
  const sh: CommandRig['sh'] = (script, given) => run(['bash', '-c', `: ${mark}\n${script}`], given);
  return {
    ...{ workspace, home, mark, run, sh, left },
    runText: async (script, given) => {
      const result = await sh(script, given);
      if (result.kind === 'not-started') return { exit: result.why, text: '' };
      const { head, tail } = result.output;
      return { exit: result.kind === 'killed' ? result.for : result.exit, text: head + tail };
    },
  };
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}
