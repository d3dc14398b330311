import { realpath, rm } from 'node:fs/promises';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Finished } from '../../domain/types/outcome.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import { redactFindings } from '../redact/redact-results.ts';
import type { Redactor } from '../redact/redactor.ts';
import { boundFindings } from './bound-findings.ts';
import type { Findings } from './bound-findings.ts';
import type { Check, CheckContext, CheckSubject, Deliverable, LookingCheck } from './checks/check.ts';
import { checkContract } from './checks/check-contract.ts';
import { checkDeliverables } from './checks/check-deliverables.ts';
import { checkDiff } from './checks/check-diff.ts';
import { checkEvidence } from './checks/check-evidence.ts';
import { checkOutput } from './checks/check-output.ts';
import { checkRules } from './checks/check-rules.ts';
import { checkSections } from './checks/check-sections.ts';
import { checkSyntax } from './checks/check-syntax.ts';
import { checkTools } from './checks/check-tools.ts';
import { askedChecks, countChecks } from './count-checks.ts';
import { decideOutcome } from './decide-outcome.ts';
import { redactInspector } from './redact-findings.ts';
import type { Content } from './files/read-file.ts';
import type { ConfinedChecks } from './commands/run-confined.ts';
import { runVerifyCommands } from './commands/run-verify-commands.ts';
import { makeScratch } from './verify-scratch.ts';
import { createTextInspector } from './inspect/text-inspector.ts';

export interface CheckTools {
  store: Pick<Store, 'get' | 'putFile'>;
  /** The traces of the attempt. */
  paths: AttemptPaths;
  /** All variables of a verify command. */
  env: Readonly<Record<string, string>>;
  commandTimeout: number;
  killGrace: number;
  inspectTimeout: number;
  /** Files and commands may show what must not be shown. */
  redactor: Redactor;
  signal: AbortSignal;
  /** Opens where commands run; undefined: beside everything else. */
  confine?: (workspace: string) => Promise<ConfinedChecks | undefined>;
  /** Says what is looked at now, in words for a person. */
  onCheck: (what: string) => void;
}

/** Looks at what an attempt left behind from the outside in: files, their content, then what the plan itself runs. */
const checks: [what: string, check: LookingCheck][] = [
  ['syntax of the deliverables', looking(checkSyntax)],
  ['required sections', checkSections],
  ['rules', checkRules],
  ['diff', looking(checkDiff)],
  ['evidence', checkEvidence],
  ['output', looking(checkOutput)],
  ['completion contract', looking(checkContract)],
  ['tool calls', looking(checkTools)],
];

/** A check that always has something to look at, or is not asked for by the plan. */
function looking(check: Check): LookingCheck {
  return async (context) => ({ issues: await check(context), unseen: 0 });
}

/** Runs every check of tier 1, whatever the ones before it found, and returns all that they found. */
export async function runChecks(input: CheckSubject, tools: CheckTools): Promise<Findings> {
  const root = await resolveWorkspace(input);
  const scratch = await makeScratch(tools.paths);
  const inspector = redactInspector(createTextInspector(tools.inspectTimeout), tools.redactor);
  const stop = (): void => void inspector.close();
  tools.signal.addEventListener('abort', stop);
  try {
    tools.onCheck('deliverables');
    const deliverables = await checkDeliverables(input, root, tools.signal);
    const stdout = await readStdout(input.execution, tools.store);
    const { env, signal } = tools;
    const context: CheckContext = { input, root, ...deliverables, stdout, inspector, scratch, env, signal };
    const issues = [...deliverables.issues];
    let unseen = input.byModel === true ? countUntouched(deliverables.deliverables) : 0;
    for (const [what, check] of checks) {
      signal.throwIfAborted();
      tools.onCheck(what);
      const seen = await check(context);
      issues.push(...seen.issues);
      unseen += seen.unseen;
    }
    const confined = await tools.confine?.(root);
    const commands = await runVerifyCommands(input.checks, {
      ...(confined === undefined ? {} : { confined }),
      root,
      scratch,
      env,
      signal,
      keep: (path) => tools.store.putFile(path),
      timeout: tools.commandTimeout,
      killGrace: tools.killGrace,
      redactor: tools.redactor,
      onCommand: (command) => tools.onCheck(`verify command: ${command}`),
    });
    const all = [...issues, ...commands.issues];
    const summary = decideOutcome(all, {
      contract: input.execution.contract,
      allowPartial: input.checks.allowPartial,
      checked: askedChecks(input.checks) > unseen,
    });
    return boundFindings(
      redactFindings(
        {
          ...summary,
          commands: commands.commands,
          files: deliverables.states,
          checks: countChecks(input.checks, all, unseen),
        },
        tools.redactor,
      ),
    );
  } finally {
    tools.signal.removeEventListener('abort', stop);
    await inspector.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Deliverables that are as they were before the attempt. */
const countUntouched = (deliverables: readonly Deliverable[]): number =>
  deliverables.filter(({ state }) => state === 'unchanged').length;

async function resolveWorkspace(input: CheckSubject): Promise<string> {
  try {
    return await realpath(input.workspace);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new HeddleError({
      code: 'WORKSPACE_NOT_FOUND',
      message: `The workspace ${input.workspace} is not a folder on this host`,
      where: 'workspace',
      hint: 'Put the folder back, or start the task again with another workspace.',
    });
  }
}

/** An activity of the user's own prints nothing: its notes are its output. What was printed but not kept is unknown, not empty. */
export async function readStdout(
  { stdout, stdoutBytes, contract }: Finished,
  store: Pick<Store, 'get'>,
): Promise<Content> {
  if (stdout === undefined) {
    return stdoutBytes > 0 ? { kind: 'unreadable' } : { kind: 'text', text: contract?.notes ?? '' };
  }
  if (stdout.bytes > activityLimits.maxCheckedBytes) return { kind: 'too-large' };
  return { kind: 'text', text: new TextDecoder().decode(await store.get(stdout)) };
}
