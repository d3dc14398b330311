import type { ErrorCode } from '../errors/error-codes.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath, quoteName } from '../input/problem.ts';
import type { CheckedProcess, InputDeclaration } from '../schema/process-schema.ts';
import { nearest } from '../text/nearest.ts';
import { checkValue } from './check-inputs.ts';

/** Lists what is wrong between the keys of a process whose values all fit. */
export const checkProcess = (process: CheckedProcess): PlanProblem[] => [
  ...Object.entries(process.inputs ?? {}).flatMap(([name, input]) => checkInput(name, input)),
  ...checkRules(process),
  ...checkTools(process),
  ...checkDeliverables(process.phases),
  ...checkOptional(process),
  ...checkNames(process.tests ?? [], 'tests'),
];

function problem(code: ErrorCode, path: PlanPath, message: string, hint: string): PlanProblem {
  return { code, message, where: formatPath(path), hint, path };
}

function checkInput(name: string, input: InputDeclaration): PlanProblem[] {
  const { type = 'string', pattern, options, min, max } = input;
  const path = ['inputs', name];
  const problems: PlanProblem[] = [];
  const refuse = (key: string, message: string, hint = `Remove \`${key}\`.`): void =>
    void problems.push(problem('PROCESS_INVALID', [...path, key], message, hint));
  const isNumber = type === 'integer' || type === 'number';
  if (pattern !== undefined && type !== 'string')
    refuse('pattern', `\`pattern\` is for inputs of type \`string\`; \`${name}\` is of type \`${type}\`.`);
  if (options !== undefined && type !== 'choice')
    refuse('options', `\`options\` are for inputs of type \`choice\`; \`${name}\` is of type \`${type}\`.`);
  if (options === undefined && type === 'choice')
    refuse('type', `\`${name}\` is a choice without \`options\`.`, 'Add `options`, a list of strings.');
  for (const key of ['min', 'max'] as const)
    if (input[key] !== undefined && !isNumber)
      refuse(key, `\`${key}\` is for inputs of type \`integer\` or \`number\`; \`${name}\` is of type \`${type}\`.`);
  if (min !== undefined && max !== undefined && min > max)
    refuse('max', `\`max\` of \`${name}\` is below its \`min\`.`, 'Make `max` the larger one.');
  if (problems.length > 0 || input.default === undefined) return problems;
  const checked = checkValue(input, input.default);
  if (checked.ok) return [];
  return [
    problem(
      'PROCESS_WRONG_TYPE',
      [...path, 'default'],
      `The default of \`${name}\` should be ${checked.expected}.`,
      checked.hint,
    ),
  ];
}

function checkRules({ rules = [], phases }: CheckedProcess): PlanProblem[] {
  const ids = phases.map(({ id }) => id);
  return [
    ...checkNames(rules, 'rules'),
    ...rules.flatMap((rule, index) => [
      ...checkRule(rule, ['rules', index]),
      ...(rule.phases ?? []).flatMap((id, at) =>
        ids.includes(id) ? [] : [unknownPhase(id, ids, ['rules', index, 'phases', at])],
      ),
    ]),
  ];
}

function checkRule(
  { pattern, check, in: files, must }: NonNullable<CheckedProcess['rules']>[number],
  path: PlanPath,
): PlanProblem[] {
  if ((pattern === undefined) === (check === undefined))
    return [
      problem(
        'PROCESS_INVALID',
        path,
        pattern === undefined ? 'A rule needs `pattern` or `check`.' : 'A rule has `pattern` or `check`, not both.',
        'Give `pattern` for a program to search, or `check` for a judge to read.',
      ),
    ];
  if (check === undefined || (files === undefined && must === undefined)) return [];
  const key = files === undefined ? 'must' : 'in';
  return [
    problem(
      'PROCESS_INVALID',
      [...path, key],
      `\`${key}\` goes with \`pattern\`, not with \`check\`.`,
      `Remove \`${key}\`.`,
    ),
  ];
}

function unknownPhase(id: string, ids: readonly string[], path: PlanPath): PlanProblem {
  const near = nearest(id, ids);
  return problem(
    'PROCESS_UNKNOWN_PHASE',
    path,
    `There is no phase ${quoteName(id)}${near === undefined ? '.' : `; did you mean \`${near}\`?`}`,
    near === undefined ? `Phases: ${ids.join(', ')}.` : `Write \`${near}\`.`,
  );
}

function checkNames(entries: readonly { name: string }[], key: string): PlanProblem[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ name }, index) => {
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, index);
      return [];
    }
    const path = [key, index, 'name'];
    const message = `The name ${quoteName(name)} is already used by \`${key}[${before}]\`.`;
    return [problem('PROCESS_DUPLICATE_ID', path, message, 'Give it a name of its own.')];
  });
}

function checkTools({ tools = {}, phases }: CheckedProcess): PlanProblem[] {
  const { required = [], allowed, excluded = [] } = tools;
  const isOut = (tool: string): string | undefined => {
    if (excluded.includes(tool)) return 'is excluded by the process';
    return allowed?.includes(tool) === false && tool !== 'finish'
      ? 'is not among the allowed tools of the process'
      : undefined;
  };
  const conflicts = (list: readonly string[], path: PlanPath, what: string): PlanProblem[] =>
    list.flatMap((tool, index) => {
      const why = isOut(tool);
      if (why === undefined) return [];
      const message = `${quoteName(tool)} ${what} and ${why}.`;
      return [problem('PROCESS_TOOL_CONFLICT', [...path, index], message, 'Remove it in one of the two places.')];
    });
  return [
    ...conflicts(required, ['tools', 'required'], 'is required'),
    ...phases.flatMap((phase, index) => {
      const path = ['phases', index, 'tools'];
      const what = `is a tool of the phase ${quoteName(phase.id)}`;
      const { executor } = phase;
      const own = typeof executor === 'object' && executor.kind === 'agent' ? (executor.tools ?? []) : [];
      return [
        ...conflicts(phase.tools ?? [], path, what),
        ...conflicts(own, ['phases', index, 'executor', 'tools'], what),
        ...(phase.tools === undefined || executor === undefined || isAgent(executor) ? [] : [otherExecutor(path)]),
      ];
    }),
  ];
}

type Phase = CheckedProcess['phases'][number];

const isAgent = (executor: Phase['executor']): boolean =>
  executor === 'agent' || (typeof executor === 'object' && executor.kind === 'agent' && executor.tools === undefined);

const otherExecutor = (path: PlanPath): PlanProblem =>
  problem(
    'PROCESS_TOOL_CONFLICT',
    path,
    '`tools` are for an agent, and the phase names another executor or lists its tools there.',
    'Remove `tools` or `executor`.',
  );

/** A path has one owner: two phases that write one file would undo each other's work. */
export function checkDeliverables(phases: readonly Pick<Phase, 'id' | 'deliverables'>[]): PlanProblem[] {
  const owners: { path: string; id: string }[] = [];
  const problems: PlanProblem[] = [];
  for (const [index, { id, deliverables = [] }] of phases.entries()) {
    for (const [at, path] of deliverables.entries()) {
      const other = owners.find((each) => each.id !== id && overlaps(each.path, path));
      if (other === undefined) continue;
      problems.push(
        problem(
          'PROCESS_DELIVERABLE_SHARED',
          ['phases', index, 'deliverables', at],
          `${quoteName(path)} is a deliverable of ${quoteName(id)}, and ${quoteName(other.path)} of ${quoteName(other.id)}.`,
          'Give each path to one phase.',
        ),
      );
    }
    owners.push(...deliverables.map((path) => ({ path, id })));
  }
  return problems;
}

/** The same path, or a folder and something in it. */
export const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

function checkOptional({ mode = 'guided', phases }: CheckedProcess): PlanProblem[] {
  if (mode === 'guided') return [];
  return phases.flatMap(({ optional }, index) =>
    optional === undefined
      ? []
      : [
          problem(
            'PROCESS_INVALID',
            ['phases', index, 'optional'],
            `\`optional\` is for the mode \`guided\`; this process is \`${mode}\`.`,
            'Remove `optional`, or change `mode`.',
          ),
        ],
  );
}
