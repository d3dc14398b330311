import type { EvidenceDraft } from '../types/basic/evidence.ts';
import { tryParseJson } from '../util/try-parse-json.ts';
import { clip } from '../text/text.ts';
import { evidenceLimits } from './limits.ts';

/** Reads one record that a program or an activity gives; undefined for anything that holds no claim. A field of a wrong type does not count. */
export function readDraft(value: unknown): EvidenceDraft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = readText(fields.get('text'));
  if (text === undefined) return undefined;
  const source = readText(fields.get('source'));
  const quote = readText(fields.get('quote'));
  const target = readText(fields.get('target'));
  return {
    text,
    ...(source === undefined ? {} : { source }),
    ...(quote === undefined ? {} : { quote }),
    ...(target === undefined ? {} : { target }),
  };
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.toWellFormed().slice(0, evidenceLimits.given) : undefined;

/** Reads the records in the result of an activity. They enter the history, so each text is bounded. */
export function readDrafts(value: unknown): EvidenceDraft[] {
  const list = typeof value === 'object' && value !== null && 'evidence' in value ? value.evidence : [];
  if (!Array.isArray(list)) return [];
  return list.slice(0, evidenceLimits.records).flatMap((each) => {
    const draft = readDraft(each);
    return draft === undefined ? [] : [boundDraft(draft)];
  });
}

/** A quote that is cut is looked up as far as it goes. */
const boundDraft = (draft: EvidenceDraft): EvidenceDraft => ({
  ...draft,
  text: clip(draft.text, evidenceLimits.claim),
  ...(draft.quote === undefined ? {} : { quote: draft.quote.slice(0, evidenceLimits.quote).toWellFormed() }),
  ...(draft.source === undefined ? {} : { source: clip(draft.source, evidenceLimits.source) }),
  ...(draft.target === undefined ? {} : { target: clip(draft.target, evidenceLimits.target) }),
});

/** Reads the lines of a program's file. Lines that hold no record are counted. */
export function readDraftLines(text: string): { drafts: EvidenceDraft[]; unreadable: number } {
  const drafts: EvidenceDraft[] = [];
  let unreadable = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const draft = readDraft(tryParseJson(line));
    if (draft === undefined) unreadable += 1;
    else drafts.push(draft);
  }
  return { drafts, unreadable };
}
