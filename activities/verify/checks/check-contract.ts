import type { Issue } from '../../../domain/types/attempt.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { Check, CheckContext } from './check.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';

/** Files that the completion contract says were touched are there, and those declared as deliverables did change. */
export const checkContract: Check = async (context) => {
  const { checks, execution } = context.input;
  if (checks.contractCheck === 'off') return [];
  const severity = checks.contractCheck === 'enforce' ? 'hard' : 'advisory';
  const touched = execution.contract?.deliverablesTouched ?? [];
  const issues: Issue[] = [];
  for (const path of touched) {
    context.signal.throwIfAborted();
    const wrong = await mismatch(context, path);
    if (wrong === undefined) continue;
    issues.push({
      code: 'contract-mismatch',
      severity,
      message: `The completion contract says that ${path} was touched, but ${wrong}.`,
      path,
    });
  }
  // The list is cut where it is read: at the limit nobody knows how many more there were.
  if (touched.length >= limits.contractDeliverables) {
    issues.push({
      code: 'contract-mismatch',
      severity,
      message: `The completion contract names ${limits.contractDeliverables} touched files or more, and only that many were checked; name fewer, such as their folders.`,
    });
  }
  return issues;
};

async function mismatch(context: CheckContext, path: string): Promise<string | undefined> {
  const place = await resolveInWorkspace(context.root, path);
  switch (place.kind) {
    case 'missing':
      return 'it does not exist; write it, or do not claim it';
    case 'outside':
      return 'it leads outside the workspace; touch only files inside';
    case 'unreadable':
    case 'special':
      return 'it cannot be read as a file';
    case 'file':
    case 'folder': {
      const declared = context.deliverables.find((deliverable) => deliverable.place.real === place.real);
      return declared?.state === 'unchanged'
        ? 'it is exactly as it was before; change it or do not claim it'
        : undefined;
    }
  }
}
