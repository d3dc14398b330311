import { planLimits } from '../input/limits.ts';
import { fitsPattern, isPattern } from '../text/tool-name.ts';
import { readGlob, type Glob } from '../text/glob.ts';

/** A rule of `[gates]` in the config, read. `git:push` is `shell:git push`: both hold for both tools. */
export type GateRule =
  | { kind: 'words'; text: string; words: readonly string[] }
  | { kind: 'write'; text: string; fits: Glob }
  /** `exact`: it names one tool, with no star. */
  | { kind: 'tool'; text: string; exact: boolean; fits: (name: string) => boolean };

const kinds = ['shell', 'git', 'write', 'tool'] as const;

/** The problem of a rule's text, as the end of a sentence about it; undefined when nothing is. */
export function ruleProblem(text: string): string | undefined {
  const { kind, pattern } = splitRule(text);
  if (text.length > planLimits.gateRule) return `is longer than ${planLimits.gateRule} characters`;
  if (kind === undefined) return `begins with none of ${kinds.map((one) => `\`${one}:\``).join(', ')}`;
  if (pattern === '') return `has nothing after \`${kind}:\``;
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'has control characters';
  return problemOf[kind](pattern);
}

const problemOf: Readonly<Record<(typeof kinds)[number], (pattern: string) => string | undefined>> = {
  shell: wordsProblem,
  git: wordsProblem,
  write: globProblem,
  tool: toolProblem,
};

function toolProblem(pattern: string): string | undefined {
  if (/^[A-Za-z0-9_*-]+$/.test(pattern)) return undefined;
  return 'is no name of a tool: letters, digits, `_` and `-`, with `*` for any of them, such as `tool:mcp__memory__*`';
}

function splitRule(text: string): { kind: (typeof kinds)[number] | undefined; pattern: string } {
  const kind = kinds.find((one) => text.startsWith(`${one}:`));
  return { kind, pattern: kind === undefined ? '' : text.slice(kind.length + 1).trim() };
}

function wordsProblem(pattern: string): string | undefined {
  const mark = /["'`\\$|&;<>(){}*?]/.exec(pattern)?.[0];
  if (mark === undefined) return undefined;
  return `has \`${mark}\`: it is the first words of a command, as they are written, and fits every command that begins with them`;
}

function globProblem(pattern: string): string | undefined {
  if (/^[/~]/.test(pattern) || pattern.split('/').includes('..'))
    return 'leads out of the workspace: it is a pattern of paths in it, such as `write:docs/**`';
  return readGlob(pattern) === undefined ? 'matches too many paths' : undefined;
}

/** Undefined for a rule that `ruleProblem` refuses. */
export function readRule(text: string): GateRule | undefined {
  if (ruleProblem(text) !== undefined) return undefined;
  const { kind, pattern } = splitRule(text);
  if (kind === 'write') {
    const fits = readGlob(pattern);
    return fits === undefined ? undefined : { kind: 'write', text, fits };
  }
  if (kind === 'tool')
    return { kind: 'tool', text, exact: !isPattern(pattern), fits: (name) => fitsPattern(name, [pattern]) };
  const words = pattern.split(/\s+/);
  return { kind: 'words', text, words: kind === 'git' ? ['git', ...words] : words };
}
