import { join } from 'node:path';
import type { Issue } from '../../../domain/types/attempt.ts';
import type { FileState } from '../../../domain/types/basic/ref.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { stampDeliverables } from '../../files/stamp-deliverables.ts';
import type { CheckedFile, CheckSubject, Deliverable } from './check.ts';
import { listEntries, listFilesBelow } from '../files/list-files.ts';
import type { FileFacts } from '../files/read-file.ts';
import { readFacts } from '../files/read-file.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';

export interface DeliverableFindings {
  issues: Issue[];
  deliverables: Deliverable[];
  states: FileState[];
  files: CheckedFile[];
  /** Folders with more files than are looked at, or that cannot be read. */
  unlisted: string[];
}

/** Every deliverable exists, is not empty, and lies inside the workspace wherever symlinks lead. */
export async function checkDeliverables(
  input: CheckSubject,
  root: string,
  signal: AbortSignal,
): Promise<DeliverableFindings> {
  const findings: DeliverableFindings = { issues: [], deliverables: [], states: [], files: [], unlisted: [] };
  for (const path of new Set(input.checks.deliverables)) {
    signal.throwIfAborted();
    const place = await resolveInWorkspace(root, path);
    const facts = place.kind === 'file' ? await readFacts(place.real, signal) : undefined;
    const state = await compareState(input, root, path);
    const deliverable = { path, place, state };
    findings.deliverables.push(deliverable);
    findings.states.push({ path, state: state ?? 'created', lines: facts?.lines ?? 0 });
    const issue = await checkDeliverable(deliverable, facts);
    if (issue !== undefined) findings.issues.push(issue);
    const most = activityLimits.maxCheckedFiles - findings.files.length;
    const { files, unreadable } = await listDeliveredFiles(deliverable, most + 1, signal);
    if (files.length > most) findings.unlisted.push(path);
    findings.unlisted.push(...unreadable);
    findings.files.push(...files.slice(0, most));
  }
  return findings;
}

async function checkDeliverable(
  { path, place }: Deliverable,
  facts: FileFacts | undefined,
): Promise<Issue | undefined> {
  switch (place.kind) {
    case 'outside':
      return {
        ...hard('deliverable-outside', path, `${path} leads outside the workspace; deliver a file inside it.`),
        details: `It leads to ${place.real}`,
      };
    case 'missing':
      return hard('deliverable-missing', path, `${path} does not exist; write it.`);
    case 'unreadable':
      return hard('deliverable-missing', path, `${path} cannot be read (${place.reason}); make it readable.`);
    case 'special':
      return hard('deliverable-missing', path, `${path} is neither a file nor a folder; write a regular file.`);
    case 'folder': {
      const entries = await listEntries(place.real);
      if (entries === 'unreadable')
        return hard('deliverable-missing', path, `The folder ${path} cannot be read; make it readable.`);
      if (entries.length > 0) return undefined;
      return hard('deliverable-empty', path, `The folder ${path} is empty; write its files.`);
    }
    case 'file':
      if (facts === undefined)
        return hard('deliverable-missing', path, `${path} cannot be read; write it as a readable file.`);
      return facts.blank ? hard('deliverable-empty', path, `${path} is empty; write its content.`) : undefined;
  }
}

function hard(code: Issue['code'], path: string, message: string): Issue {
  return { code, severity: 'hard', message, path };
}

/** Compared with the stamp taken before the attempt. Without one nothing is known of a file that is there, least of all that it is unchanged. */
async function compareState({ before }: CheckSubject, root: string, path: string): Promise<FileState['state'] | null> {
  const after = (await stampDeliverables(root, [path]))[0]?.sha256 ?? null;
  const stamp = before?.find((each) => each.path === path);
  if (stamp === undefined) return after === null ? 'missing' : null;
  if (after === null) return stamp.sha256 === null ? 'missing' : 'deleted';
  if (stamp.sha256 === null) return 'created';
  return stamp.sha256 === after ? 'unchanged' : 'modified';
}

async function listDeliveredFiles(
  { path, place }: Deliverable,
  most: number,
  signal: AbortSignal,
): Promise<{ files: CheckedFile[]; unreadable: string[] }> {
  if (place.kind === 'file') return { files: [{ path, real: place.real, named: true }], unreadable: [] };
  if (place.kind !== 'folder') return { files: [], unreadable: [] };
  const { paths, unreadable } = await listFilesBelow(place.real, most, signal);
  return {
    files: paths.map((name) => ({ path: join(path, name), real: join(place.real, name), named: false })),
    unreadable: unreadable.map((name) => join(path, name)),
  };
}
