import { isSecretPath } from '../workspace/secret-path.ts';
import { ask, quote, worst, type Finding } from './findings/finding.ts';
import type { GateFacts, Verdict } from '../types/basic/gate.ts';
import { readRules, writeFindings } from './match-rules.ts';

/** A call of a tool that changes files. */
export interface FileChange {
  tool: string;
  /** Relative to the workspace, resolved, without links. */
  paths: readonly string[];
  /** A folder goes with all that is in it. */
  deletesFolder?: boolean;
}

/** What `write_file`, `edit_file`, `delete_path` and `move_path` are about to do. A file inside the workspace is what they are for. */
export function assessWrite(change: FileChange, { rules, allowed }: Pick<GateFacts, 'rules' | 'allowed'>): Verdict {
  const { tool, paths, deletesFolder = false } = change;
  const read = readRules(rules);
  const findings = [
    ...paths.flatMap((path) => [...writeFindings(path, read, quote(tool)), ...special(tool, path)]),
    ...(deletesFolder
      ? [ask('delete', `${quote(tool)} deletes the folder ${quote(paths[0] ?? '')} with everything in it.`)]
      : []),
  ];
  return worst(
    findings.filter((one) => one.kind === 'deny' || one.signature === null || !allowed.includes(one.signature)),
  );
}

function special(tool: string, path: string): Finding[] {
  if (isSecretPath(path)) return [ask('secret', `${quote(tool)} changes ${quote(path)}, where secrets are kept.`)];
  if (path.toLowerCase().split('/').at(-1) !== 'heddle.toml') return [];
  return [ask('config', `${quote(tool)} changes ${quote(path)}, which says what Heddle may run.`)];
}
