import { evidenceLimits } from '../evidence/limits.ts';
import { formatSource } from '../evidence/ledger-csv.ts';
import { listUnconfirmed, strengthOf } from '../evidence/support.ts';
import type { EvidenceRecord, EvidenceRules, MissingTarget, TargetRules } from '../types/basic/evidence.ts';
import { clip, clipXml, escapeXml, formatCount, oneLine } from '../text/text.ts';

/** The evidence that a prompt tells of. */
export interface PromptEvidence {
  /** Records of the subtask itself, then those of its dependencies. */
  records: readonly EvidenceRecord[];
  missing: readonly MissingTarget[];
  /** Targets of the contract, with those of a file where it can be read. */
  targets: readonly string[];
}

/** The contract in the task text: which targets need records, and how they are made. */
export function formatEvidenceRules(rules: EvidenceRules, targets: readonly string[], isAgent: boolean): string {
  const how = isAgent
    ? 'Keep each fact with `note`: the claim as `text`, its `source`, the exact words of the source as `quote`, and the `target` that it answers, word for word.'
    : 'Write each fact as one line of JSON to the file that HEDDLE_EVIDENCE_FILE names: {"text", "source", "quote", "target"}, the target word for word.';
  const needs = [rules, rules.shared].flatMap((each) => (each === undefined ? [] : formatNeed(each)));
  return [
    `Evidence: ${how} A quote is looked up in its source. A file that this task wrote is no source. Use \`none\` as the source of what you looked for in vain.`,
    ...new Set(needs),
    ...(rules.citations ? ['Mark each fact in the text with its record, such as [gather/E3].'] : []),
    ...targets.map((target) => `- ${clip(oneLine(target), evidenceLimits.target)}`),
  ].join('\n');
}

function formatNeed({ each, quotes, targets, targetsFrom }: TargetRules): string[] {
  if (targets.length === 0 && targetsFrom === undefined) return [];
  const what = quotes === 'required' ? 'with a quote that is in its source' : 'whose source was read';
  const from = targetsFrom === undefined ? '' : ` The targets are listed in ${targetsFrom}.`;
  return [`Each target needs at least ${formatCount(each, 'record')} ${what}.${from}`];
}

/** Lists what is known already, the best supported first; empty where nothing is. */
export function knownEvidence(records: readonly EvidenceRecord[]): string[] {
  const usable = records.filter(({ quality, quoteFound }) => quality !== 'pruned' && quoteFound !== false);
  const ranked = [...usable].sort((a, b) => strengthOf(b.quality) - strengthOf(a.quality));
  return fitBlock('known_evidence', ranked.map(formatRecord), evidenceLimits.prompt);
}

/** Lists targets without enough records, and quotes that were not found. */
export function missingEvidence({ missing, records }: Pick<PromptEvidence, 'missing' | 'records'>): string[] {
  const lines = [
    ...missing.map(({ target, lacks, by }) =>
      by === 'judge'
        ? `<target by="judge">${clipXml(target, evidenceLimits.target)}</target>`
        : `<target lacks="${lacks}">${clipXml(target, evidenceLimits.target)}</target>`,
    ),
    ...listUnconfirmed(records).map(
      ({ id, claim, source }) =>
        `<made_up id="${escapeXml(id)}" source="${escapeXml(source.at)}">${clipXml(claim, evidenceLimits.claim)}</made_up>`,
    ),
  ];
  return fitBlock('missing_evidence', lines, evidenceLimits.prompt);
}

/** Formats claims with their support for a judge, without the way in which they were found. */
export const judgedEvidence = (records: readonly EvidenceRecord[]): string =>
  fitLines(
    [...records].sort((a, b) => strengthOf(a.quality) - strengthOf(b.quality)).map(formatRecord),
    evidenceLimits.judge,
  ).join('\n');

function formatRecord({ id, claim, source, quality, quote, target }: EvidenceRecord): string {
  const about = target === undefined ? '' : ` target="${escapeXml(oneLine(target))}"`;
  const words = quote === undefined ? '' : ` <quote>${escapeXml(oneLine(quote))}</quote>`;
  const at = escapeXml(oneLine(formatSource(source)));
  return `<record id="${escapeXml(id)}" quality="${quality}" source="${at}"${about}>${escapeXml(oneLine(claim))}${words}</record>`;
}

function fitBlock(name: string, lines: readonly string[], room: number): string[] {
  if (lines.length === 0) return [];
  return [[`<${name}>`, ...fitLines(lines, room), `</${name}>`].join('\n')];
}

/** Whole lines as far as there is room; the last line counts the others. */
function fitLines(lines: readonly string[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const line of lines) {
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    shown.push(line);
  }
  return shown.length === lines.length ? shown : [...shown, `<omitted records="${lines.length - shown.length}"/>`];
}
