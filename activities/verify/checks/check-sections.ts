import type { Issue } from '../../../domain/types/attempt.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { formatList } from '../../../domain/text/text.ts';
import type { CheckContext, LookingCheck } from './check.ts';
import { findMissingSections } from './find-missing-sections.ts';
import { readFileContent } from '../files/read-file.ts';

interface Source {
  /** The texts in which a person would look for the section. */
  places: string[];
  texts: string[];
  tooLarge: string[];
}

/** Every required section stands in one of the text deliverables; without any, in stdout. */
export const checkSections: LookingCheck = async (context) => {
  const names = context.input.checks.requiredSections;
  if (names.length === 0) return { issues: [], unseen: 0 };
  const source = await readSource(context);
  const missing = findMissingSections(names, source.texts);
  if (missing.length === 0) return { issues: [], unseen: 0 };
  return source.tooLarge.length > 0
    ? { issues: [unchecked(missing, source.tooLarge)], unseen: missing.length }
    : { issues: [absent(missing, source.places)], unseen: 0 };
};

async function readSource(context: CheckContext): Promise<Source> {
  const source: Source = { places: [], texts: [], tooLarge: [...context.unlisted] };
  for (const file of context.files) {
    context.signal.throwIfAborted();
    const content = await readFileContent(file.real, activityLimits.maxCheckedBytes);
    if (content.kind === 'too-large') source.tooLarge.push(file.path);
    if (content.kind !== 'text') continue;
    source.places.push(file.path);
    source.texts.push(content.text);
  }
  if (source.texts.length > 0 || source.tooLarge.length > 0) return source;
  if (context.stdout.kind === 'too-large') return { ...source, tooLarge: ['stdout'] };
  return { places: ['stdout'], texts: context.stdout.kind === 'text' ? [context.stdout.text] : [], tooLarge: [] };
}

function absent(missing: string[], places: string[]): Issue {
  return {
    code: 'missing-sections',
    severity: 'hard',
    message: `${missing.length === 1 ? 'A required section is' : 'Required sections are'} missing in ${formatList(places, 3)}: write a heading of exactly that name for ${formatList(missing)}.`,
    details: missing.join('\n'),
  };
}

function unchecked(missing: string[], tooLarge: string[]): Issue {
  return {
    code: 'missing-sections',
    severity: 'advisory',
    message: `Required sections were not looked for in ${formatList(tooLarge, 3)}, which is too large.`,
    details: missing.join('\n'),
  };
}
