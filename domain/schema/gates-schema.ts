import { ruleProblem } from '../gates/read-rules.ts';
import type { SandboxSetting } from '../types/basic/gate.ts';
import { planLimits } from '../input/limits.ts';
import { quote } from '../input/problem.ts';
import { list, map, oneOf, refuse, text, yesNo } from '../input/values.ts';

/* `[sandbox]` and `[gates]`: where commands of an agent run, and what is asked about before it happens. */

const modes = ['auto', 'require', 'container', 'off'] as const satisfies readonly SandboxSetting['mode'][];

export const sandboxSchema = map(
  {
    mode: oneOf(modes).exactOptional(),
    network: yesNo.exactOptional(),
    read: list(text('the path of a folder'), 'a list of folders').exactOptional(),
  },
  'a table with `mode`, `network` or `read`',
);

const ruleExpected = 'a rule such as `shell:npm test`, `git:commit` or `write:docs/**`';

const rule = text(ruleExpected).check((context) => {
  const problem = ruleProblem(context.value);
  if (problem === undefined) return;
  refuse(context, context.value, {
    code: 'PLAN_WRONG_TYPE',
    message: `${quote(context.value)} is not a rule: it ${problem}.`,
    hint: 'Write it such as `shell:npm test`, `git:commit` or `write:docs/**`.',
  });
});

const rules = list(rule, 'a list of rules such as `shell:npm test`')
  .max(planLimits.gateRules, { error: `a list of at most ${planLimits.gateRules} rules` })
  .exactOptional();

export const gatesSchema = map({ allow: rules, ask: rules, deny: rules }, 'a table with `allow`, `ask` or `deny`');
