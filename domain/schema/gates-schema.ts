import * as z from 'zod';
import { builtInToolNames } from '../executors/agent.ts';
import { readInternalHost } from '../gates/host-pattern.ts';
import { ruleProblem } from '../gates/read-rules.ts';
import type { SandboxSetting } from '../types/basic/gate.ts';
import { planLimits } from '../input/limits.ts';
import { quoteName } from '../input/problem.ts';
import { list, map, buildEnum, addRefusal, text, yesNo } from '../input/values.ts';

/* `[sandbox]`, `[gates]` and `[web]` set where an agent's commands run, what needs approval first, and which private hosts may be read. */

const modes = ['auto', 'require', 'container', 'off'] as const satisfies readonly SandboxSetting['mode'][];

export const sandboxSchema = map(
  {
    mode: buildEnum(modes).exactOptional(),
    network: yesNo.exactOptional(),
    read: list(text('the path of a folder'), 'a list of folders').exactOptional(),
  },
  'a table with `mode`, `network` or `read`',
);

const examples = '`shell:npm test`, `git:commit`, `write:docs/**` or `web:docs.python.org`';
const ruleExpected = `a rule such as ${examples}`;

const rule = text(ruleExpected).check((context) => {
  const problem = ruleProblem(context.value) ?? builtInProblem(context.value);
  if (problem === undefined) return;
  addRefusal(context, context.value, {
    code: 'PLAN_WRONG_TYPE',
    message: `${quoteName(context.value)} is not a rule: it ${problem}.`,
    hint: `Write it like ${examples}.`,
  });
});

/** A rule for one of our own tools would have no effect: those are assessed by what they do. */
const builtInProblem = (rule: string): string | undefined =>
  builtInToolNames.has(rule.replace(/^tool:\s*/, '')) && rule.startsWith('tool:')
    ? "names a tool of Heddle's own, whose rules are `shell:`, `git:` and `write:`"
    : undefined;

const rules = list(rule, 'a list of rules such as `shell:npm test`')
  .max(planLimits.gateRules, { error: `a list of at most ${planLimits.gateRules} rules` })
  .exactOptional();

export const gatesSchema = map({ allow: rules, ask: rules, deny: rules }, 'a table with `allow`, `ask` or `deny`');

const internalExpected = 'a host with its port, such as `wiki.corp:443`';

const internalHost = z.string({ error: internalExpected }).transform((value, context) => {
  const host = readInternalHost(value);
  if (host === undefined) context.addIssue({ code: 'custom', message: internalExpected, input: value });
  return host ?? value;
});

export const webSchema = map(
  {
    internal: list(internalHost, 'a list of hosts with their ports, such as `wiki.corp:443`')
      .max(planLimits.gateRules, { error: `a list of at most ${planLimits.gateRules} hosts` })
      .exactOptional(),
  },
  'a table with `internal`',
);
