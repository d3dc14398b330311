import { findMarks } from '../../../domain/evidence/find-marks.ts';
import { evidenceLimits } from '../../../domain/evidence/limits.ts';
import { findMissingTargets } from '../../../domain/evidence/support.ts';
import { readTargets } from '../../../domain/evidence/read-targets.ts';
import type { EvidenceRecord, EvidenceRules, TargetRules } from '../../../domain/types/basic/evidence.ts';
import type { Issue } from '../../../domain/types/attempt.ts';
import { clip, formatCount } from '../../../domain/text/text.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { readTextInside } from '../../evidence/read-text-inside.ts';
import { readFileContent } from '../files/read-file.ts';
import type { CheckContext, EvidenceSubject, LookingCheck } from './check.ts';

/** Records against what the plan asks for: targets without enough of them, quotes that are in no source, marks without a record. */
export const checkEvidence: LookingCheck = async (context) => {
  const { evidence: subject, checks } = context.input;
  const rules = checks.evidence;
  if (subject === undefined) return { issues: [], unseen: 0 };
  const issues = findMadeUp(subject, rules === undefined ? 'advisory' : 'hard');
  if (rules === undefined) return { issues, unseen: 0 };
  const own = await checkTargets(context, rules, { ...subject, records: subject.page.records });
  const shared = await checkShared(context, rules, subject);
  const marks = rules.citations ? await checkMarks(context, subject) : { issues: [], unseen: 0 };
  return {
    issues: [...issues, ...own, ...shared.issues, ...marks.issues],
    unseen: shared.unseen + marks.unseen,
  };
};

/** A quote of the newest attempt that is not in its source. Those of earlier ones are settled or were told already. */
function findMadeUp({ page, task, attempt }: EvidenceSubject, severity: Issue['severity']): Issue[] {
  return page.records
    .filter((record) => record.quoteFound === false && record.task === task && record.attempt === attempt)
    .map(({ id, claim, source }) => ({
      code: 'unconfirmed-data',
      severity,
      message: `The quote of ${id} is not in ${source.at}: quote its exact words, or take the claim out.`,
      target: claim,
    }));
}

async function checkShared(
  context: CheckContext,
  { shared: rules }: EvidenceRules,
  { shared: records, ...subject }: EvidenceSubject,
): Promise<{ issues: Issue[]; unseen: number }> {
  if (rules === undefined) return { issues: [], unseen: 0 };
  // Another subtask is checked later, with the records of this one.
  if (records === undefined) return { issues: [], unseen: 1 };
  return { issues: await checkTargets(context, rules, { ...subject, records }), unseen: 0 };
}

async function checkTargets(
  context: CheckContext,
  rules: TargetRules,
  { records, mayBeAbsent = false }: { records: readonly EvidenceRecord[]; mayBeAbsent?: boolean },
): Promise<Issue[]> {
  const targets = await loadTargets(context.root, rules);
  if (typeof targets === 'string') return [{ code: 'evidence-gap', severity: 'hard', message: targets }];
  const need = rules.quotes === 'required' ? 'with a quote that is in its source' : 'whose source was read';
  const missing = findMissingTargets(records, { ...rules, targets });
  const open = new Set(findMissingTargets(records, { ...rules, targets }, { mayBeAbsent }).map(({ target }) => target));
  return missing.map(({ target, lacks }) => ({
    code: 'evidence-gap',
    // Only a remediation try may find that there is nothing to be found.
    severity: open.has(target) ? 'hard' : 'advisory',
    message: `This needs ${formatCount(lacks, 'more record')} ${need}: ${clip(target, evidenceLimits.shownTarget)}`,
    target,
  }));
}

/** The targets of a plan, or those that a file names; what is wrong with that file where it cannot be read. */
export async function loadTargets(
  root: string,
  { targets, targetsFrom }: Pick<TargetRules, 'targets' | 'targetsFrom'>,
): Promise<string[] | string> {
  if (targetsFrom === undefined) return targets;
  const text = await readTextInside(root, targetsFrom);
  const read = text === undefined ? undefined : readTargets(text);
  return read ?? `${targetsFrom} holds no JSON list of texts, so nobody knows which targets need evidence; write it.`;
}

/** Every mark in the text deliverables has a record, or in the output where there is no text deliverable. */
async function checkMarks(
  context: CheckContext,
  { subtask, citable }: EvidenceSubject,
): Promise<{ issues: Issue[]; unseen: number }> {
  const ids = new Set(citable.filter(isCitable).map(({ id }) => id));
  const marks = new Map<string, string>();
  let looked = 0;
  const look = (path: string, text: string): void => {
    looked += 1;
    for (const mark of findMarks(text, subtask)) if (!ids.has(mark) && !marks.has(mark)) marks.set(mark, path);
  };
  const issues: Issue[] = [];
  for (const { path, real } of context.files) {
    context.signal.throwIfAborted();
    const content = await readFileContent(real, activityLimits.maxCheckedBytes);
    if (content.kind === 'text') look(path, content.text);
    if (content.kind === 'too-large') issues.push(unread(path));
  }
  if (context.files.length === 0 && context.stdout.kind === 'text') look('the output', context.stdout.text);
  issues.push(
    ...[...marks].map(([mark, path]): Issue => ({
      code: 'unconfirmed-data',
      severity: 'hard',
      message: `${path} cites [${mark}], and there is no such record: cite one that there is, or take the claim out.`,
      target: mark,
    })),
  );
  return { issues, unseen: looked === 0 ? 1 : 0 };
}

/** A text that nobody looked at is no pass. */
const unread = (path: string): Issue => ({
  code: 'unconfirmed-data',
  severity: 'hard',
  message: `${path} is too large to be searched for marks of evidence; make it smaller.`,
  target: path,
});

/** A record with a made-up quote, or whose claim was taken out, supports no text. */
const isCitable = ({ quality, quoteFound }: EvidenceRecord): boolean => quality !== 'pruned' && quoteFound !== false;
