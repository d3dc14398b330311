import { mergeChecks, type PlannedCheck } from '../checks/named-checks.ts';
import { isTable } from '../input/is-table.ts';
import type { PromptChanges } from '../types/basic/prompt-sections.ts';
import { processPlanKeys, type ProcessDefinition } from '../schema/process-schema.ts';
import type { FilledPhase, FilledProcess, RuleParts } from '../types/process.ts';
import { promptForms, promptNames } from '../types/basic/prompt-sections.ts';
import { buildInputVariables } from './check-inputs.ts';
import type { Process } from './parse-process.ts';
import { fillTexts, type InputValues } from './templates.ts';

/** Fills a process with the values of its inputs. */
export function fillProcess({ definition, checked }: Process, values: InputValues): FilledProcess {
  const fill = (key: keyof ProcessDefinition): unknown => fillTexts(definition[key], values, [key]);
  const filled = { ...definition, goal: fill('goal'), rules: fill('rules'), phases: fill('phases') };
  const rules = listTables(filled.rules);
  const { tools = {}, inputs = {}, roles = {}, models = {}, mode = 'guided' } = checked;
  return {
    name: checked.name,
    mode,
    ...(typeof filled.goal === 'string' ? { goal: filled.goal } : {}),
    head: Object.fromEntries(
      processPlanKeys.flatMap((key) => (definition[key] === undefined ? [] : [[key, fill(key)]])),
    ),
    phases: listTables(filled.phases).map((phase) => fillPhase(phase, rules)),
    everywhere: collectRules(rules.filter(({ phases }) => phases === undefined)),
    tools: {
      required: tools.required ?? [],
      excluded: tools.excluded ?? [],
      ...(tools.allowed === undefined ? {} : { allowed: tools.allowed }),
    },
    roles,
    models,
    prompts: readPrompts(fillTexts(definition.prompts ?? {}, values, ['prompts'])),
    variables: buildInputVariables(inputs, values),
  };
}

const listTables = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isTable) : []);

function fillPhase(phase: Record<string, unknown>, rules: readonly Record<string, unknown>[]): FilledPhase {
  const { tools, optional, ...subtask } = phase;
  const id = String(subtask['id']).normalize('NFC');
  const isMeant = ({ phases }: Record<string, unknown>): boolean =>
    !Array.isArray(phases) || phases.some((each) => String(each).normalize('NFC') === id);
  const executor = tools === undefined ? {} : { executor: giveTools(subtask['executor'], tools) };
  const parts = collectRules(rules.filter(isMeant));
  return {
    id,
    optional: optional === true,
    judged: needsJudge(parts),
    subtask: addRules({ ...subtask, ...executor, phase: id }, parts),
  };
}

const giveTools = (executor: unknown, tools: unknown): Record<string, unknown> => ({
  kind: 'agent',
  ...(isTable(executor) ? executor : {}),
  tools,
});

function collectRules(rules: readonly Record<string, unknown>[]): RuleParts {
  const parts: RuleParts = { rules: [], criteria: [], advice: [] };
  for (const { pattern, check, severity, in: files, must } of rules) {
    if (typeof check === 'string') (severity === 'advisory' ? parts.advice : parts.criteria).push(check);
    else
      parts.rules.push({
        pattern,
        ...(files === undefined ? {} : { in: files }),
        ...(must === undefined ? {} : { must }),
        ...(severity === undefined ? {} : { severity }),
      });
  }
  return parts;
}

export const needsJudge = ({ criteria, advice }: RuleParts): boolean => criteria.length > 0 || advice.length > 0;

/** Adds what rules ask for. */
export const addRules = (
  subtask: Record<string, unknown>,
  { rules, criteria, advice }: RuleParts,
): Record<string, unknown> => ({
  ...subtask,
  ...addTo(subtask, 'rules', rules),
  ...addTo(subtask, 'criteria', criteria),
  ...addTo(subtask, 'advice', advice),
});

/** Adds entries to a list of a subtask, each once. */
export function addTo(
  subtask: Record<string, unknown>,
  key: string,
  more: readonly unknown[],
): Record<string, unknown> {
  if (more.length === 0) return {};
  const before: unknown[] = Array.isArray(subtask[key]) ? subtask[key] : [];
  if (key === 'verify') return { verify: mergeChecks(readChecks(before), readChecks(more)) };
  const present = new Set(before.map((entry) => JSON.stringify(entry)));
  return { [key]: [...before, ...more.filter((entry) => !present.has(JSON.stringify(entry)))] };
}

const readChecks = (list: readonly unknown[]): PlannedCheck[] =>
  list.flatMap((entry): PlannedCheck[] => {
    if (typeof entry === 'string') return [entry];
    if (!isTable(entry)) return [];
    const { name, run } = entry;
    return typeof name === 'string' && typeof run === 'string' ? [{ name, run }] : [];
  });

/** `executor.constraints` as the config has it: a table of sections for each prompt. */
function readPrompts(prompts: unknown): PromptChanges {
  const texts = isTable(prompts) ? prompts : {};
  const changes: PromptChanges = {};
  for (const prompt of promptNames)
    for (const section of promptForms[prompt].sections) {
      const text = texts[`${prompt}.${section}`];
      if (typeof text === 'string') changes[prompt] = { ...changes[prompt], [section]: text };
    }
  return changes;
}
