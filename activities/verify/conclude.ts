import { resolve } from 'node:path';
import { lacksOnlyEvidence } from '../../domain/evidence/owed-targets.ts';
import { classifyVerdict } from '../../domain/failure/classify-verdict.ts';
import type { Issue, Verdict, VerifyInput } from '../../domain/types/attempt.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { formatList } from '../../domain/text/text.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { ownFolders } from '../home/xdg.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { watchWork } from '../repositories/watch-commands.ts';
import { mergeWorktree } from '../workspace/worktree/merge-worktree.ts';
import type { Findings } from './bound-findings.ts';
import { storeResult } from './store-result.ts';

export interface VerifySubject {
  input: VerifyInput;
  subtask: Subtask;
}

interface ConcludeParts {
  store: Pick<Store, 'put'>;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
}

/** Turns the findings into a verdict: a failure, classified here and nowhere else, or a result for those who depend on it. */
export async function conclude(
  parts: ConcludeParts,
  subject: VerifySubject,
  findings: Findings,
  { merge }: { merge: boolean } = { merge: subject.input.judged !== true },
): Promise<Verdict> {
  const isIsolated = subject.subtask.isolation === 'worktree';
  // Judges look at the copy first: there is no result before it is merged.
  if (isIsolated && !merge && findings.outcome !== 'fail') return { ...findings, failure: null, result: null };
  const merged = isIsolated && findings.outcome !== 'fail' ? await mergeResult(parts, subject, findings) : findings;
  if (merged.outcome === 'fail') {
    // Work in a copy is no result before it is merged.
    const mayKeep = !isIsolated && lacksOnlyEvidence(merged.issues);
    const kept = mayKeep ? { provisional: await storeWork(parts, subject, merged) } : {};
    return { ...merged, failure: classifyVerdict(merged), result: null, ...kept };
  }
  return { ...merged, failure: null, result: await storeWork(parts, subject, merged) };
}

function storeWork(
  { store }: Pick<ConcludeParts, 'store'>,
  { input, subtask }: VerifySubject,
  { evidence }: Pick<Findings, 'evidence'>,
): Promise<Ref> {
  const { taskId: task, execution, workspace } = input;
  return storeResult(store, workspace, { task, subtask, execution, evidence: evidence ?? execution.evidence });
}

/** A result that passed the checks in a copy becomes the workspace's; a result in conflict with others' changes does not pass. */
async function mergeResult(
  parts: ConcludeParts,
  { input, subtask }: VerifySubject,
  findings: Findings,
): Promise<Findings> {
  const { taskId, subtaskId, attempt, workspace } = input;
  const snapshots = { root: resolve(parts.root), environment: parts.secrets.environment };
  const about = { taskId, subtaskId, attempt, workspace, deliverables: subtask.deliverables };
  const hidden = ownFolders(snapshots.root, snapshots.environment);
  const path = snapshots.environment.PATH ?? '';
  const watch = { ...{ root: snapshots.root, workspace, hidden, path }, task: taskId, subtask: subtaskId };
  const { folders: mostFolders } = activityLimits.repositories;
  // Two copies may each hold a part of one repository.
  const { conflicts } = await watchWork({ ...watch, mostFolders, onChange: () => undefined }, () =>
    mergeWorktree(snapshots, about),
  );
  if (conflicts.length === 0) return findings;
  const issue: Issue = {
    code: 'merge-conflict',
    severity: 'hard',
    message: `Meanwhile others changed the same places in ${formatList(conflicts, 10)}.`,
    details:
      'These files are as the others left them now; make your changes again on top of that. All your other changes are still there.',
  };
  return { ...findings, outcome: 'fail', issues: [issue, ...findings.issues] };
}
