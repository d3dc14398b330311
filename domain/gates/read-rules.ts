import { planLimits } from '../input/limits.ts';
import { fitsPattern, isPattern } from '../text/tool-name.ts';
import { readGlob, type Glob } from '../text/glob.ts';
import { hostProblem, readHostPattern } from './host-pattern.ts';

/** A rule of `[gates]` in the config, read. `git:push` is `shell:git push`: both hold for both tools. */
export type GateRule =
  | { kind: 'words'; text: string; words: readonly string[] }
  | { kind: 'write'; text: string; fits: Glob }
  | NameRule<'web'>
  | NameRule<'tool'>;

/** A rule about things that have a name, such as hosts and tools. `exact`: it names one thing alone, without a star. */
interface NameRule<Kind extends string> {
  kind: Kind;
  text: string;
  exact: boolean;
  fits: (name: string) => boolean;
}

/** The kinds of rules, as they are written, each with its reader and the problem of a pattern as the end of a sentence. */
const kinds = {
  shell: { problem: wordsProblem, read: (pattern, text) => ({ kind: 'words', text, words: pattern.split(/\s+/) }) },
  git: {
    problem: wordsProblem,
    read: (pattern, text) => ({ kind: 'words', text, words: ['git', ...pattern.split(/\s+/)] }),
  },
  write: { problem: globProblem, read: readWrite },
  web: {
    problem: hostProblem,
    read: (pattern, text) => ({ kind: 'web', text, ...readHostPattern(pattern) }),
  },
  tool: {
    problem: toolProblem,
    read: (pattern, text) => ({
      ...{ kind: 'tool', text, exact: !isPattern(pattern) },
      fits: (name) => fitsPattern(name, [pattern]),
    }),
  },
} satisfies Record<string, RuleKind>;

interface RuleKind {
  problem: (pattern: string) => string | undefined;
  /** Only called for a pattern without a problem. */
  read: (pattern: string, text: string) => GateRule | undefined;
}

/** The problem of a rule's text, as the end of a sentence about it; undefined when nothing is. */
export function ruleProblem(text: string): string | undefined {
  const { name, kind, pattern } = splitRule(text);
  if (text.length > planLimits.gateRule) return `is longer than ${planLimits.gateRule} characters`;
  if (kind === undefined)
    return `begins with none of ${Object.keys(kinds)
      .map((one) => `\`${one}:\``)
      .join(', ')}`;
  if (pattern === '') return `has nothing after \`${name}:\``;
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'has control characters';
  return kind.problem(pattern);
}

function toolProblem(pattern: string): string | undefined {
  if (/^[A-Za-z0-9_*-]+$/.test(pattern)) return undefined;
  return 'is no name of a tool: letters, digits, `_` and `-`, with `*` for any of them, such as `tool:mcp__memory__*`';
}

function splitRule(text: string): { name: string; kind: RuleKind | undefined; pattern: string } {
  const [name, kind] = Object.entries<RuleKind>(kinds).find(([one]) => text.startsWith(`${one}:`)) ?? ['', undefined];
  return { name, kind, pattern: kind === undefined ? '' : text.slice(name.length + 1).trim() };
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

function readWrite(pattern: string, text: string): GateRule | undefined {
  const fits = readGlob(pattern);
  return fits === undefined ? undefined : { kind: 'write', text, fits };
}

/** Undefined for a rule that `ruleProblem` refuses. */
export function readRule(text: string): GateRule | undefined {
  if (ruleProblem(text) !== undefined) return undefined;
  const { kind, pattern } = splitRule(text);
  return kind?.read(pattern, text);
}
