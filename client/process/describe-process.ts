import type { ShownProcess } from '../ports/processes.ts';

/** A process as `heddle process show --json` prints it. */
export const describeProcess = ({ process: { definition, checked, warnings }, view, path }: ShownProcess) => ({
  ...view,
  path,
  description: checked.description,
  goal: definition.goal ?? null,
  inputs: Object.fromEntries(
    Object.entries(checked.inputs ?? {}).map(([name, input]) => [
      name,
      { type: 'string', ...input, required: input.default === undefined },
    ]),
  ),
  phases: checked.phases.map(({ id, description, dependsOn = [], optional = false, synthesis = false }) => ({
    id,
    description: description ?? id,
    dependsOn,
    optional,
    synthesis,
  })),
  rules: (checked.rules ?? []).map(({ name, severity = 'hard' }) => ({ name, severity })),
  tests: (checked.tests ?? []).map(({ name }) => name),
  warnings,
});

export type ProcessDescription = ReturnType<typeof describeProcess>;
