import type { FailureType } from '../types/basic/failure-types.ts';
import { typeOfReason } from './reasons.ts';
import type { FailureRule } from './rule.ts';
import { readLastLines, type OutputLine } from './last-lines.ts';
import { machineRules } from './rules-machine.ts';
import { serviceRules } from './rules-service.ts';
import { workRules } from './rules-work.ts';
import { isStatedAsFact } from './is-mention.ts';
import { strategies } from './recovery-strategies.ts';

/** The first that fits the last line decides, then the line above it: what cannot pass comes before what can. */
export const failureRules: readonly FailureRule[] = [...serviceRules, ...machineRules, ...workRules];

/** What a rule found. */
export interface Finding {
  type: FailureType;
  cause: string;
  fix?: string;
}

export function findRule(text: string, rules: readonly FailureRule[] = failureRules): Finding | undefined {
  for (const word of readLastLines(text)) {
    const rule = rules.find((candidate) => fits(candidate, word));
    if (rule !== undefined) {
      return {
        type: rule.type,
        cause: rule.cause ?? strategies[rule.type].cause,
        ...(rule.fix === undefined ? {} : { fix: rule.fix }),
      };
    }
    const type = word.isLast ? typeOfNames(word.raw) : undefined;
    if (type !== undefined && rules.some((rule) => rule.type === type)) return { type, cause: strategies[type].cause };
  }
  return undefined;
}

function fits(rule: FailureRule, word: OutputLine): boolean {
  // A sick machine fails tests too; whatever else stands beside their report is what they looked at.
  const believed = !word.isReported || rule.type === 'environment';
  if (believed && rule.formed?.some((pattern) => pattern.test(word.raw))) return true;
  return word.isLast && (rule.sentences ?? []).some((pattern) => says(word.unquoted, pattern));
}

function says(line: string, pattern: RegExp): boolean {
  if (!pattern.test(line)) return false;
  for (const match of line.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    if (isStatedAsFact(line, match.index, match.index + match[0].length)) return true;
  }
  return false;
}

/** An exception by its class, at the head of a line. */
const exception = /^(?:[\w ]{0,30}: )?(?:[\w$]{1,80}[.:]{1,2}){0,8}([A-Z][A-Za-z]{2,60}(?:Error|Exception))\b/;
/** A member of an explained error that names it. */
const member =
  /["'](?:type|code|status|reason|error|subtype|__type)["']\s{0,3}:\s{0,3}["']([A-Za-z][\w. #-]{2,60})["']/g;
const aboutError = /error|exception|failed/i;

/** The name that a library or a service gave the failure, in its last words. */
function typeOfNames(line: string): FailureType | undefined {
  const thrown = exception.exec(line)?.[1];
  const names = [
    ...(thrown === undefined ? [] : [thrown]),
    ...(aboutError.test(line) ? [...line.matchAll(member)].map(([, name]) => name ?? '') : []),
  ];
  return names.map(typeOfReason).find((type) => type !== undefined);
}
