import type { FailureType } from '../types/basic/failure-types.ts';
import { parseReason } from './reasons.ts';
import type { FailureRule } from './rule.ts';
import { readLastLines, type OutputLine } from './last-lines.ts';
import { machineRules } from './rules-machine.ts';
import { serviceRules } from './rules-service.ts';
import { workRules } from './rules-work.ts';
import { isStatedAsFact } from './is-mention.ts';
import { strategies } from './recovery-strategies.ts';

/** The first rule that matches the last line decides, then the line above it: permanent failures come before temporary ones. */
export const failureRules: readonly FailureRule[] = [...serviceRules, ...machineRules, ...workRules];

/** The failure that a rule stands for. */
export interface RuleMatch {
  type: FailureType;
  cause: string;
  fix?: string;
}

export function findRule(text: string, rules: readonly FailureRule[] = failureRules): RuleMatch | undefined {
  for (const line of readLastLines(text)) {
    const rule = rules.find((candidate) => matchesRule(candidate, line));
    if (rule !== undefined) {
      return {
        type: rule.type,
        cause: rule.cause ?? strategies[rule.type].cause,
        ...(rule.fix === undefined ? {} : { fix: rule.fix }),
      };
    }
    const type = line.isLast ? parseErrorNames(line.raw) : undefined;
    if (type !== undefined && rules.some((rule) => rule.type === type)) return { type, cause: strategies[type].cause };
  }
  return undefined;
}

function matchesRule(rule: FailureRule, line: OutputLine): boolean {
  // A broken machine fails tests too. Any other text beside a test report is its subject, not the cause.
  const counts = !line.isReported || rule.type === 'environment';
  if (counts && rule.formed?.some((pattern) => pattern.test(line.raw))) return true;
  return line.isLast && (rule.sentences ?? []).some((pattern) => statesAsFact(line.unquoted, pattern));
}

function statesAsFact(line: string, pattern: RegExp): boolean {
  if (!pattern.test(line)) return false;
  for (const match of line.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    if (isStatedAsFact(line, match.index, match.index + match[0].length)) return true;
  }
  return false;
}

/** An exception by its class, at the head of a line. */
const exception = /^(?:[\w ]{0,30}: )?(?:[\w$]{1,80}[.:]{1,2}){0,8}([A-Z][A-Za-z]{2,60}(?:Error|Exception))\b/;
/** A member of an error's JSON that names the error. */
const member =
  /["'](?:type|code|status|reason|error|subtype|__type)["']\s{0,3}:\s{0,3}["']([A-Za-z][\w. #-]{2,60})["']/g;
const aboutError = /error|exception|failed/i;

/** Returns the type of the name that a library or a service gave the failure. */
function parseErrorNames(line: string): FailureType | undefined {
  const thrown = exception.exec(line)?.[1];
  const names = [
    ...(thrown === undefined ? [] : [thrown]),
    ...(aboutError.test(line) ? [...line.matchAll(member)].map(([, name]) => name ?? '') : []),
  ];
  return names.map(parseReason).find((type) => type !== undefined);
}
