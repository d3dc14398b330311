import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Excerpt, JudgeView } from '../../domain/judges/judge-prompt.ts';
import { judgedEvidence } from '../../domain/prompts/evidence-blocks.ts';
import type { JudgeInput } from '../../domain/types/judgement.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { clip } from '../../domain/text/text.ts';
import { loadEvidence } from '../evidence/pages.ts';
import { resolveInWorkspace } from '../files/resolve-in-workspace.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { checkDeliverables } from '../verify/checks/check-deliverables.ts';
import { readFileContent } from '../verify/files/read-file.ts';
import { readStdout } from '../verify/run-checks.ts';
import { changesOfSubtask } from '../workspace/worktree/changes-of-subtask.ts';
import { folderOfWork } from '../workspace/worktree/worktree.ts';

/** The files and facts that judges look at. Their paths are kept, so that a claim about one can be looked into. */
export interface Evidence {
  view: JudgeView;
  /** The folder in which the subtask works, links resolved. */
  root: string;
  /** Files that were expected or changed. */
  files: { path: string; real: string }[];
  /** Not all of them are known. */
  isIncomplete: boolean;
}

export interface EvidenceParts {
  store: Pick<Store, 'get'>;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
  /** A provider is a place where secrets must not show up. */
  redact: (text: string) => string;
}

/** Collects what was asked for and what is there now. How it was done is in none of it. */
export async function gatherEvidence(
  parts: EvidenceParts,
  { input, goal, subtask }: { input: JudgeInput; goal: string; subtask: Subtask },
  signal: AbortSignal,
): Promise<Evidence> {
  const snapshots = { root: resolve(parts.root), environment: parts.secrets.environment };
  const isolated = subtask.isolation === 'worktree';
  const root = await realpath(isolated ? await folderOfWork(snapshots, input) : input.workspace);
  const subject = { workspace: root, checks: subtask, execution: input.execution, before: null };
  const expected = await checkDeliverables(subject, root, signal);
  const { patch, paths, isKnown } = await changesOfSubtask(snapshots, { ...input, isolated });
  const files = [...expected.files];
  for (const path of paths) {
    const place = await resolveInWorkspace(root, path);
    if (place.kind === 'file' && !files.some(({ real }) => real === place.real))
      files.push({ path, real: place.real, named: false });
  }
  const redact = (text: string): string => parts.redact(text);
  const view: JudgeView = {
    goal: redact(goal),
    subtask,
    verdict: input.verdict,
    diff: redact(clip(patch, activityLimits.judge.prompt)),
    excerpts: await readExcerpts(expected.files, redact),
    evidence: redact(judgedEvidence((await loadEvidence(parts.store, input.evidence, input.subtaskId)).records)),
    // Output counts as the result only when no file was written: else it shows how the work was done.
    output: files.length === 0 ? redact(await readOutput(parts, input)) : '',
  };
  return { view, root, files, isIncomplete: expected.unlisted.length > 0 || !isKnown };
}

async function readExcerpts(
  files: readonly { path: string; real: string }[],
  redact: (text: string) => string,
): Promise<Excerpt[]> {
  const { files: most, file, fileBytes } = activityLimits.judge;
  const excerpts: Excerpt[] = [];
  for (const { path, real } of files.slice(0, most)) {
    const content = await readFileContent(real, fileBytes);
    if (content.kind !== 'text') excerpts.push({ path: redact(path), text: '', note: `not shown: ${content.kind}` });
    else if (content.text.length <= file) excerpts.push({ path: redact(path), text: redact(content.text) });
    else excerpts.push({ path: redact(path), text: clip(redact(content.text), file), note: 'its beginning' });
  }
  return excerpts;
}

async function readOutput({ store }: EvidenceParts, { execution }: JudgeInput): Promise<string> {
  const printed = await readStdout(execution, store);
  return printed.kind === 'text' ? clip(printed.text, activityLimits.judge.prompt) : '';
}
