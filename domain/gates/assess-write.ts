import { isSecretPath } from '../workspace/secret-path.ts';
import { ask, quoteWord, worst, type GateFinding } from './findings/finding.ts';
import type { GateFacts, GateRuling } from '../types/basic/gate.ts';
import { readRules, writeFindings } from './match-rules.ts';

/** A call of a tool that changes files. */
export interface FileChange {
  tool: string;
  /** Relative to the workspace, resolved, without links. */
  paths: readonly string[];
  /** A folder goes with all that is in it. */
  deletesFolder?: boolean;
}

/** The ruling about a call of `write_file`, `edit_file`, `delete_path` or `move_path`. A file inside the workspace is what they are for. */
export function assessWrite(change: FileChange, { rules, allowed }: Pick<GateFacts, 'rules' | 'allowed'>): GateRuling {
  const { tool, paths, deletesFolder = false } = change;
  const read = readRules(rules);
  const findings = [
    ...paths.flatMap((path) => [...writeFindings(path, read, quoteWord(tool)), ...special(tool, path)]),
    ...(deletesFolder
      ? [ask('delete', `${quoteWord(tool)} deletes the folder ${quoteWord(paths[0] ?? '')} with everything in it.`)]
      : []),
  ];
  return worst(
    findings.filter((one) => one.kind === 'deny' || one.signature === null || !allowed.includes(one.signature)),
  );
}

function special(tool: string, path: string): GateFinding[] {
  if (isSecretPath(path))
    return [ask('secret', `${quoteWord(tool)} changes ${quoteWord(path)}, where secrets are kept.`)];
  if (path.toLowerCase().split('/').at(-1) !== 'heddle.toml') return [];
  return [ask('config', `${quoteWord(tool)} changes ${quoteWord(path)}, which says what Heddle may run.`)];
}
