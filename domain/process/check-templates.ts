import { isTable } from '../input/is-table.ts';
import { planLimits } from '../input/limits.ts';
import type { PlanPath, PlanProblem } from '../input/problem.ts';
import { formatPath, quoteName } from '../input/problem.ts';
import { nearest } from '../text/nearest.ts';
import { inputVariable, kindOfText, listTemplates, listTexts } from './templates.ts';

/** Lists templates of inputs that nobody declared, and templates in commands, which get values by their environment alone. */
export function findTemplateProblems(value: unknown): PlanProblem[] {
  const declared = listDeclared(value);
  const problems: PlanProblem[] = [];
  for (const { text, path } of listTexts(value)) {
    const kind = kindOfText(path);
    if (kind === 'plain') continue;
    for (const name of new Set(listTemplates(text))) {
      if (problems.length >= planLimits.problems) return problems;
      if (kind === 'command') problems.push(inCommand(name, path));
      else if (!declared.includes(name)) problems.push(undeclared(name, declared, path));
    }
  }
  return problems;
}

const listDeclared = (value: unknown): string[] => {
  const inputs = isTable(value) ? value['inputs'] : undefined;
  return isTable(inputs) ? Object.keys(inputs) : [];
};

function undeclared(name: string, declared: readonly string[], path: PlanPath): PlanProblem {
  const near = nearest(name, declared);
  return {
    code: 'PROCESS_UNKNOWN_INPUT',
    message: `The process has no input ${quoteName(name)}${near === undefined ? '.' : `; did you mean \`${near}\`?`}`,
    where: formatPath(path),
    hint: near === undefined ? 'Declare it under `inputs`, or remove the template.' : `Write \`{{inputs.${near}}}\`.`,
    path,
  };
}

const inCommand = (name: string, path: PlanPath): PlanProblem => ({
  code: 'PROCESS_INPUT_IN_COMMAND',
  message: `A command gets the input ${quoteName(name)} by its environment, never by a template.`,
  where: formatPath(path),
  hint: /^[a-z][a-z0-9_]*$/.test(name)
    ? `Write \`"$${inputVariable(name)}"\`.`
    : 'Write `"$HEDDLE_INPUT_NAME"` with the name of an input.',
  path,
});

/** Inputs that nothing uses are probably a mistake. */
export function listUnusedInputs(value: unknown): string[] {
  const texts = [...listTexts(value)];
  return listDeclared(value)
    .filter(
      (name) =>
        !texts.some(({ text, path }) =>
          kindOfText(path) === 'words' || kindOfText(path) === 'pattern'
            ? listTemplates(text).includes(name) || usesVariable(text, name)
            : usesVariable(text, name),
        ),
    )
    .map((name) => `Nothing uses the input \`${name}\`.`);
}

const usesVariable = (text: string, name: string): boolean => new RegExp(`\\b${inputVariable(name)}\\b`).test(text);
