import type { Issue } from '../../../domain/types/attempt.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { Check, CheckContext, CheckedFile } from './check.ts';
import { readFileContent } from '../files/read-file.ts';
import type { Inspected } from '../inspect/text-inspector.ts';
import type { Language } from '../inspect/syntax-language.ts';
import { findLanguage } from '../inspect/syntax-language.ts';

/** JSON, YAML, TOML, tables and scripts must parse, by the extension of each deliverable. */
export const checkSyntax: Check = async (context) => {
  const issues: Issue[] = [];
  for (const file of context.files) {
    context.signal.throwIfAborted();
    const language = findLanguage(file.path);
    const issue = language === undefined ? undefined : await checkFile(context, file, language);
    if (issue !== undefined) issues.push(issue);
  }
  return issues;
};

async function checkFile(context: CheckContext, file: CheckedFile, language: Language): Promise<Issue | undefined> {
  const content = await readFileContent(file.real, activityLimits.maxCheckedBytes);
  switch (content.kind) {
    case 'unreadable':
      return undefined;
    case 'too-large':
      return unchecked(file, 'it is too large');
    case 'binary':
      // A video stream shares the extension of TypeScript; data files have no such double.
      return language === 'ts'
        ? undefined
        : invalid(file, language, ['it contains zero bytes, so it is not text'], 'hard');
    case 'text':
      if (content.text.trim() === '') return undefined;
      return buildIssue(await context.inspector.inspect({ kind: 'syntax', text: content.text, language }), file, {
        language,
        text: content.text,
      });
  }
}

function buildIssue(
  result: Inspected,
  file: CheckedFile,
  { language, text }: { language: Language; text: string },
): Issue | undefined {
  switch (result.end) {
    case 'timeout':
      return unchecked(file, 'its parser did not finish');
    case 'failed':
      return unchecked(file, `its parser failed (${result.reason})`);
    case 'done':
      if (result.findings.length === 0) return undefined;
      return invalid(file, language, result.findings, isTemplate(language, text) ? 'advisory' : 'hard');
  }
}

/** Charts and playbooks are YAML only after something has filled them in. */
function isTemplate(language: Language, text: string): boolean {
  return language === 'yaml' && /(?<!\$)\{\{-?\s|\{%/.test(text);
}

/** A file that merely lies in a deliverable folder may be broken on purpose, such as a test's fixture. */
function invalid(file: CheckedFile, language: Language, problems: string[], severity: Issue['severity']): Issue {
  return {
    code: 'syntax-invalid',
    severity: file.named ? severity : 'advisory',
    message: `${file.path} is not valid ${names[language]}; correct it.`,
    path: file.path,
    details: problems.join('\n'),
  };
}

function unchecked(file: CheckedFile, why: string): Issue {
  return {
    code: 'syntax-invalid',
    severity: 'advisory',
    message: `The syntax of ${file.path} was not checked: ${why}.`,
    path: file.path,
  };
}

const names: Record<Language, string> = {
  json: 'JSON',
  'json-with-comments': 'JSON',
  'json-lines': 'JSON Lines',
  yaml: 'YAML',
  toml: 'TOML',
  csv: 'CSV',
  tsv: 'TSV',
  js: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  dts: 'TypeScript',
};
