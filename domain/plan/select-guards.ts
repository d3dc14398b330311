import { isAgentWork } from '../executors/agent-work.ts';
import { listNeeds } from '../executors/kinds.ts';
import { opensWeb } from '../gates/assess-web.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ScanLimits } from '../types/judgement.ts';
import { defaultSandbox, type GateRules, type SandboxSetting, type WebSetting } from '../types/basic/gate.ts';
import type { Subtask } from '../types/subtask.ts';
import type { Config } from '../schema/config-schema.ts';

/** Restrictions of a task's tools and commands: where they run, what they may read, what needs approval. */
export interface Guards {
  sandbox: SandboxSetting;
  gates: GateRules;
  /** Folders outside the workspace, as absolute paths. */
  readRoots: string[];
  web: WebSetting;
  /** How far files are searched for a judge's claim; null: not at all. */
  scan: ScanLimits | null;
}

/** The guards without any setting. */
export const defaultGuards: Guards = {
  sandbox: defaultSandbox,
  gates: { allow: [], ask: [], deny: [] },
  readRoots: [],
  web: { internal: [] },
  scan: limits.judge.scan,
};

/** Returns the guards that a plan freezes: all of them for agents and commands of a model, otherwise the rules, which hold for programs too. */
export function selectGuards(
  subtasks: readonly Subtask[],
  config: Pick<Config, 'sandbox' | 'gates' | 'web' | 'verification'>,
): Partial<Guards> {
  const { read, ...sandbox } = config.sandbox ?? {};
  const gates: GateRules = { ...defaultGuards.gates, ...config.gates };
  const scan = selectScan(subtasks, config);
  if (subtasks.some(usesSandbox))
    return {
      ...{ sandbox: { ...defaultSandbox, ...sandbox }, gates, readRoots: read ?? defaultGuards.readRoots },
      ...(opensWeb(gates) ? { web: { ...defaultGuards.web, ...config.web } } : {}),
      ...scan,
    };
  const hasRules = Object.values(gates).some((rules: readonly string[]) => rules.length > 0);
  return { ...(hasRules ? { gates } : {}), ...scan };
}

/** Commands of an agent, commands of a model's plan, and commands that check an agent's work run in the sandbox. */
const usesSandbox = ({ executor, verify, verifyInSandbox, verifyOutside }: Subtask): boolean =>
  verifyInSandbox === true ||
  listNeeds(executor).models.length > 0 ||
  (verify.length > 0 && verifyOutside !== true && isAgentWork(executor));

/** Claims are searched only where judges run. */
function selectScan(
  subtasks: readonly Subtask[],
  { verification = {} }: Pick<Config, 'verification'>,
): Pick<Partial<Guards>, 'scan'> {
  if (subtasks.every((subtask) => subtask.verification === undefined && subtask.whenUnchecked !== 'judge')) return {};
  if (verification.guard === false) return { scan: null };
  const { files, bytes, fileBytes, time } = limits.judge.scan;
  return {
    scan: {
      files: verification.scanFiles ?? files,
      bytes: verification.scanBytes ?? bytes,
      fileBytes: verification.scanFileBytes ?? fileBytes,
      time: verification.scanTime ?? time,
    },
  };
}
