import { planLimits } from '../input/limits.ts';
import { readGlob, type Glob } from '../text/glob.ts';

/** A rule of `[gates]` in the config, read. `git:push` is `shell:git push`: both hold for both tools. */
export type GateRule =
  | { kind: 'words'; text: string; words: readonly string[] }
  | { kind: 'write'; text: string; fits: Glob };

const kinds = ['shell', 'git', 'write'] as const;

/** The problem of a rule's text, as the end of a sentence about it; undefined when nothing is. */
export function ruleProblem(text: string): string | undefined {
  const { kind, pattern } = splitRule(text);
  if (text.length > planLimits.gateRule) return `is longer than ${planLimits.gateRule} characters`;
  if (kind === undefined) return `begins with none of ${kinds.map((one) => `\`${one}:\``).join(', ')}`;
  if (pattern === '') return `has nothing after \`${kind}:\``;
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'has control characters';
  return kind === 'write' ? globProblem(pattern) : wordsProblem(pattern);
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
  const words = pattern.split(/\s+/);
  return { kind: 'words', text, words: kind === 'git' ? ['git', ...words] : words };
}
