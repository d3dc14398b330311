import { activityLimits } from '../../limits/activity-limits.ts';
import type { Language } from './syntax-language.ts';

/** Lists the objections of a parser to a text, with lines where it knows them; empty when the text is good. Never rejects. */
export async function findSyntaxProblems(text: string, language: Language): Promise<string[]> {
  try {
    return await find(text.replace(/^\uFEFF/, ''), language);
  } catch (error) {
    if (error instanceof RangeError) return ['it is nested too deeply to be read'];
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Each parser is loaded only where a file needs it: together they take longer to load than most files to parse. */
async function find(text: string, language: Language): Promise<string[]> {
  switch (language) {
    case 'json':
      JSON.parse(text);
      return [];
    case 'json-with-comments':
      return (await import('./find-script-problems.ts')).findCommentedJsonProblems(text);
    case 'json-lines':
      return findLineProblems(text);
    case 'yaml':
      return findYamlProblems(text);
    case 'toml':
      (await import('smol-toml')).parse(text);
      return [];
    case 'csv':
    case 'tsv':
      return (await import('./find-table-problems.ts')).findTableProblems(text, language);
    case 'js':
    case 'ts':
    case 'tsx':
    case 'dts':
      return (await import('./find-script-problems.ts')).findScriptSyntaxProblems(text, language);
  }
}

function findLineProblems(text: string): string[] {
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      JSON.parse(line);
    } catch (error) {
      problems.push(`line ${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
      if (problems.length === activityLimits.findingsPerFile) break;
    }
  }
  return problems;
}

async function findYamlProblems(text: string): Promise<string[]> {
  const { parseAllDocuments } = await import('yaml');
  const problems: string[] = [];
  for (const document of parseAllDocuments(text, { logLevel: 'error', merge: true })) {
    problems.push(...document.errors.map((error) => error.message));
    if (problems.length > 0) break;
    // Only the values show an alias without an anchor, or one that stands for too much.
    document.toJS({ maxAliasCount: activityLimits.maxYamlAliases });
  }
  return problems.slice(0, activityLimits.findingsPerFile);
}
