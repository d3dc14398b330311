import { ask, deny, quoteWord, type GateFinding } from './findings/finding.ts';
import type { GateRules } from '../types/basic/gate.ts';
import { readRule, type GateRule } from './read-rules.ts';
import { readGit } from './shell/unwrap/read-git.ts';
import type { ProgramCall } from './shell/words/command-reading.ts';
import { isCertain, mayBeOption, programName, type ShellWord } from './shell/words/word.ts';

/** The rules of the config, read. A rule that cannot be read never got here: the config refuses it. */
export interface ReadGateRules {
  allow: readonly GateRule[];
  ask: readonly GateRule[];
  deny: readonly GateRule[];
}

const readAll = (texts: readonly string[]): GateRule[] => texts.flatMap((text) => readRule(text) ?? []);

export const readRules = ({ allow, ask: askRules, deny: denyRules }: GateRules): ReadGateRules => ({
  allow: readAll(allow),
  ask: readAll(askRules),
  deny: readAll(denyRules),
});

/** The findings of the rules against a call: denials, and questions. */
export function ruleFindings(call: ProgramCall, rules: ReadGateRules, scope: string | undefined): GateFinding[] {
  return [
    ...rules.deny.flatMap((rule) => {
      const fit = matchRule(rule, call);
      if (fit === 'maybe')
        return [ask('rule', `Whether a rule forbids it (${quoteWord(rule.text)}) is only known when it runs.`)];
      return fit === 'yes' ? [deny(`A rule of the config forbids it: ${quoteWord(rule.text)}.`)] : [];
    }),
    ...rules.ask.flatMap((rule) =>
      matchRule(rule, call) === 'no'
        ? []
        : [ask('rule', `A rule of the config asks about it: ${quoteWord(rule.text)}.`, scope)],
    ),
  ];
}

/** The same for a path of the workspace that is written. */
export function writeFindings(path: string, rules: ReadGateRules, who: string): GateFinding[] {
  const fitting = (list: readonly GateRule[]): GateRule[] =>
    list.filter((rule) => rule.kind === 'write' && rule.fits(path));
  return [
    ...fitting(rules.deny).map(({ text }) =>
      deny(`A rule of the config forbids that ${who} changes it: ${quoteWord(text)}.`),
    ),
    ...fitting(rules.ask).map(({ text }) =>
      ask('rule', `A rule of the config asks before ${who} changes it: ${quoteWord(text)}.`, `write ${path}`),
    ),
  ];
}

/** The rules that fit a tool of a server; of those that allow, the ones that name it alone. */
export function toolRules(
  name: string,
  rules: ReadGateRules,
): { deny?: string; ask?: string; allow: 'exact' | 'pattern' | 'none' } {
  const fitting = (list: readonly GateRule[]): Extract<GateRule, { kind: 'tool' }>[] =>
    list.flatMap((rule) => (rule.kind === 'tool' && rule.fits(name) ? [rule] : []));
  const [denied] = fitting(rules.deny);
  const [asked] = fitting(rules.ask);
  const allowed = fitting(rules.allow);
  return {
    ...(denied === undefined ? {} : { deny: denied.text }),
    ...(asked === undefined ? {} : { ask: asked.text }),
    allow: allowed.some(({ exact }) => exact) ? 'exact' : allowed.length > 0 ? 'pattern' : 'none',
  };
}

/** A rule means a call, with or without options in between. */
function matchRule(rule: GateRule, { words }: ProgramCall): 'yes' | 'maybe' | 'no' {
  if (rule.kind !== 'words') return 'no';
  const bare = words.filter((word) => !mayBeOption(word) || !isCertain(word));
  const forms = [words, bare, ...(programName(words[0]?.text ?? '') === 'git' ? [gitForm(words)] : [])];
  const fits = forms.map((form) => matchWords(rule.words, form));
  return fits.includes('yes') ? 'yes' : fits.includes('maybe') ? 'maybe' : 'no';
}

const gitForm = (words: readonly ShellWord[]): readonly ShellWord[] => [...words.slice(0, 1), ...readGit(words).words];

function matchWords(pattern: readonly string[], words: readonly ShellWord[]): 'yes' | 'maybe' | 'no' {
  let isOpen = false;
  for (const [at, expected] of pattern.entries()) {
    const word = words[at];
    if (word === undefined) return isOpen ? 'maybe' : 'no';
    if (word.kind !== 'plain') return 'maybe';
    const isSame = word.text === expected || (at === 0 && programName(word.text) === expected);
    if (!isSame && !word.maybe && !isOpen) return 'no';
    isOpen ||= word.maybe;
  }
  return isOpen ? 'maybe' : 'yes';
}

/** A rule allows exactly this call: its first words as they are written, or those of what starts it and its own after them. */
export function isAllowed({ words, within }: ProgramCall, rules: ReadGateRules): boolean {
  return rules.allow.some((rule) => {
    if (rule.kind !== 'words') return false;
    if (begins(words, rule.words)) return true;
    const [program] = words;
    return within.some((outer) => {
      const start = program === undefined ? -1 : outer.indexOf(program);
      return start !== -1 && rule.words.length > start && begins(outer, rule.words);
    });
  });
}

const begins = (words: readonly ShellWord[], pattern: readonly string[]): boolean =>
  pattern.every((expected, at) => isCertain(words[at]) && words[at].text === expected);
