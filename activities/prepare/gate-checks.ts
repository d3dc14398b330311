import { runsProjectTest } from '../../domain/checks/project-test.ts';
import type { ProjectTest } from '../../domain/types/planner.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { placesOfShell } from '../../domain/gates/findings/find-places.ts';
import { assessShell } from '../../domain/gates/assess-shell.ts';
import { isBelow } from '../../domain/gates/shell/words/paths.ts';
import type { Problem } from '../../domain/errors/heddle-error.ts';
import {
  defaultSandbox,
  type AskedCheck,
  type GateFacts,
  type SandboxSetting,
  type GateRuling,
} from '../../domain/types/basic/gate.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { defaultGuards } from '../../domain/plan/select-guards.ts';
import { actionHash } from '../agent/action-hash.ts';
import { mayExist } from '../system/may-exist.ts';
import { resolveLinks } from '../files/resolve-links.ts';
import type { PublicEnvironment, Secrets } from '../redact/secrets.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';
import { findWayOut } from '../sandbox/network/find-way-out.ts';
import { ownFolders } from '../home/xdg.ts';
import { checkRepositories } from './check-repositories.ts';

/** Collects the facts by which the gate of an agent's shell decides, for commands that a model's plan wants to run. */
export async function checkFacts(
  { values }: FrozenConfig,
  { workspace, root, env }: { workspace: string; root: string; env: PublicEnvironment },
): Promise<GateFacts> {
  const { read = [], ...sandbox } = values.sandbox ?? {};
  return {
    workspace,
    readRoots: read,
    forbidden: ownFolders(root, env).map((folder) => resolveLinks(folder, '/')),
    ...(await describeReach({ ...defaultSandbox, ...sandbox }, env)),
    rules: { ...defaultGuards.gates, ...values.gates },
    allowed: [],
    resolve: resolveLinks,
    exists: mayExist,
  };
}

async function describeReach(
  { mode, network }: SandboxSetting,
  env: PublicEnvironment,
): Promise<Pick<GateFacts, 'sandboxed' | 'reachesMachine' | 'walled'>> {
  const hasOne = (await findSandbox()).kind === 'bubblewrap';
  const sandboxed = mode !== 'off' && (mode !== 'auto' || hasOne);
  const walled = sandboxed && mode !== 'container';
  const mayReach = network && hasOne && (mode === 'auto' || mode === 'require');
  return { sandboxed, walled, reachesMachine: mayReach && (await findWayOut(env)).kind === 'none' };
}

/**
 * An answer about a verify command is bound to this hash. It is the same wherever the subtask runs (`at`; `workspace` is the task's own),
 * and whatever the subtask makes there, as long as no path of the command leads out.
 */
export function checkHash(command: string, workspace: string, at: string = workspace): string {
  const root = resolveLinks(at, '/');
  const places = placesOfShell(command, { workspace: root, resolve: resolveLinks });
  const paths = places.filter((place) => !isBelow(place, root));
  return actionHash({ tool: 'shell', arguments: { command }, paths, cwd: workspace });
}

/** Checks that no model wrote, although they stand in a model's plan. */
export interface CheckSources {
  projectTest?: ProjectTest | undefined;
  /** Verify commands of the whole task, as they were sent. */
  ofGoal?: readonly string[];
  /** Verify commands of the task's process, which a person chose. */
  ofProcess?: readonly string[];
}

function findSource(command: string, { projectTest, ofGoal = [] }: CheckSources): Pick<AskedCheck, 'source'> {
  if (ofGoal.includes(command)) return { source: 'goal' };
  return command === projectTest?.command ? { source: 'project' } : {};
}

/** A subtask of a model's plan, whose commands pass the gate: those that are asked about stand in it, one that is denied is a problem. */
export async function gateChecks(
  subtask: Subtask,
  facts: GateFacts,
  { secrets, projectTest, ofGoal = [], ofProcess = [] }: CheckSources & { secrets: Secrets },
): Promise<{ subtask: Subtask; problems: Problem[] }> {
  const { id, verify } = subtask;
  const processChecks = verify.filter((command) => ofProcess.includes(command));
  if (processChecks.length === verify.length) return { subtask, problems: [] };
  const askedChecks: AskedCheck[] = [];
  const problems: Problem[] = [];
  for (const command of new Set(verify)) {
    if (ofProcess.includes(command)) continue;
    const ruling = rulingOn(command, facts, projectTest);
    const verdict = ruling.kind === 'allow' ? await checkRepositories(command, facts, secrets.environment) : ruling;
    if (verdict.kind === 'deny') problems.push(denied(id, command, verdict.why));
    if (verdict.kind !== 'ask') continue;
    const { why, danger, signature } = verdict;
    const hash = checkHash(command, facts.workspace);
    askedChecks.push({ command, ...findSource(command, { projectTest, ofGoal }), why, danger, signature, hash });
  }
  const checks = askedChecks.length === 0 ? {} : { askedChecks };
  const own = processChecks.length === 0 ? {} : { processChecks };
  return { subtask: { ...subtask, verifyInSandbox: true, ...own, ...checks }, problems };
}

/** A project may call anything its tests: in a folder that nobody trusts, a person is asked even when the tests run in a sandbox. */
function rulingOn(command: string, facts: GateFacts, projectTest: ProjectTest | undefined): GateRuling {
  const ruling = assessShell(command, facts);
  if (ruling.kind !== 'allow' || projectTest?.asksFirst !== true || !runsProjectTest(command, projectTest))
    return ruling;
  const bare = assessShell(command, { ...facts, sandboxed: false, walled: false });
  return {
    kind: 'ask',
    danger: 'program',
    why: `It runs what ${projectTest.file} of this folder says, and the folder is not trusted.`,
    signature: bare.kind === 'ask' ? bare.signature : null,
  };
}

const denied = (id: string, command: string, why: string): Problem => ({
  code: 'PLAN_NOT_SUPPORTED',
  message: `A verify command of ${id} may not run: ${why}`,
  where: `subtask ${id}, verify, \`${command}\``,
  hint: 'Write a command that only looks at the result, or remove it.',
});
