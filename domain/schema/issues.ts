import type * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import type { Document } from './containers.ts';
import { explainUnknownKey } from './containers.ts';
import type { IssueCode, PlanPath, PlanProblem } from '../input/problem.ts';
import { describeValue, formatPath, valueAt } from '../input/problem.ts';
import type { Refusal } from '../input/values.ts';

type Issue = z.core.$ZodIssue;

/** The problems that the schema found, worded for a plan. */
export interface Findings {
  problems: (PlanProblem & { code: IssueCode })[];
  /** Paths of misspelt keys, so that their absence is not reported as a second problem. */
  misspelt: Set<string>;
}

/** Explains the schema's issues: the expected value, the actual one, and what to do. */
export function explainIssues(issues: readonly Issue[], plan: unknown, document: Document = 'plan'): Findings {
  const findings: Findings = { problems: [], misspelt: new Set() };
  for (const issue of flatten(issues, [])) {
    if (findings.problems.length >= planLimits.problems) break;
    if (issue.code === 'unrecognized_keys') explainKeys(issue, plan, findings, document);
    else explainValue(issue, plan, findings);
  }
  return {
    ...findings,
    problems: findings.problems.filter(
      ({ path }) => valueAt(plan, path) !== undefined || !findings.misspelt.has(formatPath(path)),
    ),
  };
}

/** A union reports the branch that fits the kind of the value; the other branches only say that they do not fit. */
function* flatten(issues: readonly Issue[], base: PropertyKey[]): Generator<Issue> {
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    const branch = issue.code === 'invalid_union' ? issue.errors.find(isAbout) : undefined;
    if (branch === undefined) yield { ...issue, path };
    else yield* flatten(branch, path);
  }
}

const isAbout = (branch: readonly Issue[]): boolean =>
  branch.length > 0 &&
  branch.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys' || code === 'custom');

function explainKeys(
  issue: Extract<Issue, { code: 'unrecognized_keys' }>,
  plan: unknown,
  findings: Findings,
  document: Document,
): void {
  const path = toPlanPath(issue.path);
  for (const key of issue.keys.slice(0, planLimits.problems)) {
    const suggest = findings.problems.length < planLimits.suggestions;
    const { message, hint, suggestion } = explainUnknownKey({ key, path, plan, suggest, document });
    const at = [...path, key];
    findings.problems.push({ code: 'PLAN_UNKNOWN_KEY', message, where: formatPath(at), hint, path: at });
    if (suggestion !== undefined) findings.misspelt.add(formatPath([...path, suggestion]));
  }
}

function explainValue(issue: Issue, plan: unknown, { problems }: Findings): void {
  const path = toPlanPath(issue.path);
  const where = formatPath(path);
  const value = valueAt(plan, path);
  const problem: Refusal = findRefusal(issue) ?? {
    code: 'PLAN_WRONG_TYPE',
    ...formatWrong(path, value, issue.message),
  };
  // A value can fail two checks that expect the same.
  const last = problems.at(-1);
  if (last?.where === where && last.message === problem.message) return;
  problems.push({ ...problem, where, path });
}

function formatWrong(path: PlanPath, value: unknown, expected: string): { message: string; hint: string } {
  const name = formatName(path);
  if (value === undefined && path.length > 0) {
    return { message: `${name} is missing; it should be ${expected}.`, hint: `Add ${name}.` };
  }
  // People write `TOKEN=secret` where a name belongs, so the value must not appear in an error.
  const secret = path.includes('env') || path.includes('args');
  const shown = secret && typeof value === 'string' ? 'a string' : describeValue(value);
  return { message: `${name} should be ${expected}; found ${shown}.`, hint: formatValueHint(value, expected) };
}

/** `tier`, `verify[0]`, `subtasks[2]`: the last key with its indexes. */
function formatName(path: PlanPath): string {
  if (path.length === 0) return 'The plan';
  const start = path.findLastIndex((part) => typeof part === 'string');
  return `\`${formatPath(path.slice(Math.max(start, 0)))}\``;
}

function formatValueHint(value: unknown, expected: string): string {
  if (value === null) return 'Give it a value, or remove the key.';
  const wantsText = /^(?:a text|a shell command|a path|the name|an id|the id|a regular|a file pattern)/.test(expected);
  if (wantsText && (typeof value === 'number' || typeof value === 'boolean')) return 'Put it in quotes.';
  if (typeof value === 'string' && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) && !wantsText)
    return 'Remove the quotes.';
  return `Make it ${expected}.`;
}

function findRefusal(issue: Issue): Refusal | undefined {
  if (issue.code !== 'custom') return undefined;
  const refusal: unknown = issue.params?.['refusal'];
  return isRefusal(refusal) ? refusal : undefined;
}

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value && 'hint' in value;

const toPlanPath = (path: readonly PropertyKey[]): (string | number)[] =>
  path.map((part) => (typeof part === 'symbol' ? String(part) : part));
