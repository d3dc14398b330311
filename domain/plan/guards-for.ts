import { isAgentWork } from '../executors/agent-work.ts';
import { needsOf } from '../executors/kinds.ts';
import { limits } from '../limits/domain-limits.ts';
import type { ScanLimits } from '../types/judgement.ts';
import { defaultSandbox, type GateRules, type SandboxSetting } from '../types/basic/gate.ts';
import type { Subtask } from '../types/subtask.ts';
import type { Config } from '../schema/config-schema.ts';

/** What limits the tools and commands of a task: where they run, what they may read, what is asked about first. */
export interface Guards {
  sandbox: SandboxSetting;
  gates: GateRules;
  /** Folders outside of the workspace: absolute. */
  readRoots: string[];
  /** How far claims of judges are looked into; null: not at all. */
  scan: ScanLimits | null;
}

/** What holds when nobody says anything, and for tasks that were prepared before there were any. */
export const defaultGuards: Guards = {
  sandbox: defaultSandbox,
  gates: { allow: [], ask: [], deny: [] },
  readRoots: [],
  scan: limits.judge.scan,
};

/** Those that a plan freezes: all where a subtask is an agent's or has commands of a model, else the rules alone, which hold for programs too. */
export function guardsFor(
  subtasks: readonly Subtask[],
  config: Pick<Config, 'sandbox' | 'gates' | 'verification'>,
): Partial<Guards> {
  const { read, ...sandbox } = config.sandbox ?? {};
  const gates: GateRules = { ...defaultGuards.gates, ...config.gates };
  const scan = scanFor(subtasks, config);
  if (subtasks.some(usesSandbox))
    return { sandbox: { ...defaultSandbox, ...sandbox }, gates, readRoots: read ?? defaultGuards.readRoots, ...scan };
  const hasRules = Object.values(gates).some((rules: readonly string[]) => rules.length > 0);
  return { ...(hasRules ? { gates } : {}), ...scan };
}

/** Commands of an agent, those of a model's plan, and those that check an agent's work. */
const usesSandbox = ({ executor, verify, verifyInSandbox, verifyOutside }: Subtask): boolean =>
  verifyInSandbox === true ||
  needsOf(executor).models.length > 0 ||
  (verify.length > 0 && verifyOutside !== true && isAgentWork(executor));

/** Only where there are judges whose claims could be looked into. */
function scanFor(
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
