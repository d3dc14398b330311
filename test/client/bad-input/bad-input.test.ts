// Errors that a person reads for bad configs, flags, environments and plans: code, sentence, place and advice, word for word.
import { describe, expect, test } from 'vitest';
import { type BadInput, type Refusal, listRefusals } from './bad-input-case.ts';

type Row = [name: string, input: BadInput, ...refusals: Refusal[]];

const config = (text: string | Buffer): BadInput => ({ files: { 'heddle.toml': text }, argv: ['config'] });
const plan = (text: string): BadInput => ({ files: { 'plan.yaml': text }, argv: ['run', 'plan.yaml'] });
const subtask = (line: string): BadInput =>
  plan(`goal: g\nexecutor: { kind: command, run: [sh] }\nsubtasks:\n  - id: a\n    ${line}\n`);
/** As a worker prepares it, whoever started it. */
const prepared = (given: object, { files = {}, env = {} }: BadInput = {}): BadInput => ({
  files: { 'plan.json': JSON.stringify(given), ...files },
  env,
});

const aModel = '[models.small]\nprovider = "anthropic"\nid = "m"\n';

const aPlan = 'goal: g\nexecutor: { kind: command, run: [sh] }\nsubtasks: [{ id: a }]\n';
const untrusted = `maxAttempts = 2
[providers.anthropic]
kind = "anthropic"
baseUrl = "http://127.0.0.1:9/v1"
[gates]
allow = ["shell:rm"]
deny = ["shell:npm publish"]
[sandbox]
mode = "off"
`;
const trustIt =
  'Look at it with `heddle config`; if you trust it, run `heddle trust` in its folder. For one command: HEDDLE_TRUST=1.';

/** An agent whose replies come from this script. */
const scripted = (script: string | undefined): BadInput =>
  prepared(
    { goal: 'g', executor: 'agent', subtasks: [{ id: 'a' }] },
    {
      files: {
        'heddle.toml': `[providers.demo]\nkind = "scripted"\nscript = "script.yaml"\n${aModel.replace('anthropic', 'demo')}`,
        ...(script === undefined ? {} : { 'script.yaml': script }),
      },
    },
  );

const configs: Row[] = [
  [
    'a misspelt key',
    config('maxAtempts = 3\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`maxAtempts` is not a key of the config; did you mean `maxAttempts`?',
      '~/heddle.toml:1:1 (maxAtempts)',
      'Rename it to `maxAttempts`.',
    ],
  ],
  [
    'a misspelt key in a table',
    config('[budget]\nwallClock = "1h"\ncost = 1\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`cost` is not a key of `budget`; did you mean `costUsd`?',
      '~/heddle.toml:3:1 (budget.cost)',
      'Rename it to `costUsd`.',
    ],
  ],
  [
    'a misspelt dotted key',
    config('budget.tokns = 4\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`tokns` is not a key of `budget`; did you mean `tokens`?',
      '~/heddle.toml:1:1 (budget.tokns)',
      'Rename it to `tokens`.',
    ],
  ],
  [
    'a misspelt key in an inline table',
    config('project = "p"\napproval = { mode = "auto", onTimout = "wait" }\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`onTimout` is not a key of `approval`; did you mean `onTimeout`?',
      '~/heddle.toml:2:29 (approval.onTimout)',
      'Rename it to `onTimeout`.',
    ],
  ],
  [
    'a misspelt key in an array of tables',
    config('[[ladder]]\ntier = "assigned"\n\n[[ladder]]\ntir = "next"\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`tir` is not a key of a rung; did you mean `tier`?',
      '~/heddle.toml:5:1 (ladder[1].tir)',
      'Rename it to `tier`.',
    ],
  ],
  [
    'a misspelt key in a list of inline tables',
    config('ladder = [\n  { tier = "assigned" }, # first\n  { tier = "next", think = true },\n]\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`think` is not a key of a rung; did you mean `thinking`?',
      '~/heddle.toml:3:20 (ladder[1].think)',
      'Rename it to `thinking`.',
    ],
  ],
  [
    'a misspelt key of an executor',
    config('[executors.claude]\nmodles = ["a"]\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`modles` is not a key of an executor; did you mean `models`?',
      '~/heddle.toml:2:1 (executors.claude.modles)',
      'Rename it to `models`.',
    ],
  ],
  [
    'a misspelt key of a role',
    config('[roles.writer]\npersonna = "x"\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`personna` is not a key of a role; did you mean `persona`?',
      '~/heddle.toml:2:1 (roles.writer.personna)',
      'Rename it to `persona`.',
    ],
  ],
  [
    'a misspelt failure type',
    config('recovery.timeot.tries = 2\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`timeot` is not a failure type; did you mean `timeout`?',
      '~/heddle.toml:1:1 (recovery.timeot)',
      'Rename it to `timeout`.',
    ],
  ],
  [
    'a key that nothing is like',
    config('colour = "red"\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`colour` is not a key of the config.',
      '~/heddle.toml:1:1 (colour)',
      'Remove it, or use one of: project, approval, planApproval, planning, maxParallelSubtasks, maxAttempts, escalationPause, contractCheck, commandTimeout, verifyTimeout, budget, retry, ladder, recovery, remediation, executor, executors, roles, providers, models, sandbox, gates, web, context, prompts, memory, verification, taskQueue, host, idle, limits, logging, redact, processes, server, mcp, tools, codec.',
    ],
  ],
  [
    'a key of a subtask',
    config('deliverables = ["a"]\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`deliverables` is not a key of the config, but of a subtask.',
      '~/heddle.toml:1:1 (deliverables)',
      'Move it to a subtask, or remove it.',
    ],
  ],
  [
    'a table that nothing is like',
    config('# c\n\n[colours]\nport = 1\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`colours` is not a key of the config.',
      '~/heddle.toml:3:2 (colours)',
      'Remove it, or use one of: project, approval, planApproval, planning, maxParallelSubtasks, maxAttempts, escalationPause, contractCheck, commandTimeout, verifyTimeout, budget, retry, ladder, recovery, remediation, executor, executors, roles, providers, models, sandbox, gates, web, context, prompts, memory, verification, taskQueue, host, idle, limits, logging, redact, processes, server, mcp, tools, codec.',
    ],
  ],
  [
    'a quoted key',
    config('"max attempts" = 3\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`max attempts` is not a key of the config; did you mean `maxAttempts`?',
      '~/heddle.toml:1:1 (max attempts)',
      'Rename it to `maxAttempts`.',
    ],
  ],
  [
    'a number in quotes',
    config('maxParallelSubtasks = "3"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`maxParallelSubtasks` should be a whole number from 1 to 500; found the string "3".',
      '~/heddle.toml:1:23 (maxParallelSubtasks)',
      'Remove the quotes.',
    ],
  ],
  [
    'a number out of range',
    config('maxAttempts = 1000\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`maxAttempts` should be a whole number from 1 to 100; found the number 1000.',
      '~/heddle.toml:1:15 (maxAttempts)',
      'Make it a whole number from 1 to 100.',
    ],
  ],
  [
    'a fraction',
    config('escalationPause = 1.5\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`escalationPause` should be a whole number from 1 to 1000; found the number 1.5.',
      '~/heddle.toml:1:19 (escalationPause)',
      'Make it a whole number from 1 to 1000.',
    ],
  ],
  [
    'a negative budget',
    config('budget.costUsd = -1\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`costUsd` should be a number, 0 or more; found the number -1.',
      '~/heddle.toml:1:18 (budget.costUsd)',
      'Make it a number, 0 or more.',
    ],
  ],
  [
    'a truth value in quotes',
    config('planApproval = "true"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`planApproval` should be `true` or `false`; found the string "true".',
      '~/heddle.toml:1:16 (planApproval)',
      'Remove the quotes.',
    ],
  ],
  [
    'a duration that is a number',
    config('commandTimeout = 30\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`commandTimeout` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the number 30.',
      '~/heddle.toml:1:18 (commandTimeout)',
      'Make it a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`.',
    ],
  ],
  [
    'a duration without quotes',
    config('commandTimeout = 30m\n'),
    [
      'CONFIG_SYNTAX',
      'This cannot be read as TOML: this value is neither a number nor a string in quotes.',
      '~/heddle.toml:1:20',
      'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    ],
  ],
  [
    'a duration that is too long',
    config('verifyTimeout = "40d"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`verifyTimeout` should be a duration above 0 and at most 20 days; found the string "40d".',
      '~/heddle.toml:1:17 (verifyTimeout)',
      'Make it a duration above 0 and at most 20 days.',
    ],
  ],
  [
    'a date',
    config('project = 2026-01-01\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`project` should be the name of a project: 1 to 200 printable characters; found a date.',
      '~/heddle.toml:1:11 (project)',
      'Make it the name of a project: 1 to 200 printable characters.',
    ],
  ],
  [
    'an approval that is no mode',
    config('approval = "sometimes"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`approval` should be `off`, `auto`, `manual` or `threshold`, or a table such as `{ mode = "threshold", at = 0.7 }`; found the string "sometimes".',
      '~/heddle.toml:1:12 (approval)',
      'Make it `off`, `auto`, `manual` or `threshold`, or a table such as `{ mode = "threshold", at = 0.7 }`.',
    ],
  ],
  [
    'a budget that is a number',
    config('budget = 5\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`budget` should be a table such as `{ wallClock = "30m", costUsd = 2.50 }`; found the number 5.',
      '~/heddle.toml:1:10 (budget)',
      'Make it a table such as `{ wallClock = "30m", costUsd = 2.50 }`.',
    ],
  ],
  [
    'an empty ladder',
    config('ladder = []\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`ladder` should be a list with at least one rung that is not a person, such as `{ tier = "assigned" }`; found an empty list.',
      '~/heddle.toml:1:10 (ladder)',
      'Make it a list with at least one rung that is not a person, such as `{ tier = "assigned" }`.',
    ],
  ],
  [
    'a person below other rungs',
    config('ladder = [{ person = true }, { tier = "next" }]\n'),
    [
      'CONFIG_WRONG_TYPE',
      'The rung `{ person = true }` should be the last one of the ladder.',
      '~/heddle.toml:1:11 (ladder[0])',
      'Move it to the end: nothing comes after a person.',
    ],
  ],
  [
    'a retry policy that Temporal would refuse',
    config('[retry]\ninitialInterval = "5m"\nmaximumInterval = "1m"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`maximumInterval` should not be shorter than `initialInterval`.',
      '~/heddle.toml:1:2 (retry)',
      'Raise `maximumInterval` or lower `initialInterval`.',
    ],
  ],
  [
    'an unknown preset',
    config('[executors.mine]\npreset = "claud"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`preset` should be `claude`, `codex`, `gemini`, `opencode` or `aider`; found the string "claud".',
      '~/heddle.toml:2:10 (executors.mine.preset)',
      'Make it `claude`, `codex`, `gemini`, `opencode` or `aider`.',
    ],
  ],
  [
    'an executor without preset or kind',
    config('[executors.mine]\ntimeout = "5m"\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      'The executor `mine` has neither `preset` nor `kind`.',
      '~/heddle.toml:1',
      'Set `preset`, or `kind` with its keys.',
    ],
  ],
  [
    'an executor with preset and kind',
    config('[executors.mine]\npreset = "codex"\nkind = "command"\nrun = ["x"]\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      'The executor `mine` has both `preset` and `kind`.',
      '~/heddle.toml:3',
      'Remove one of the two.',
    ],
  ],
  [
    'a preset with a program',
    config('[executors.claude]\nrun = ["claude2"]\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      '`run` of the executor `claude` is not a key of an executor with a preset.',
      '~/heddle.toml:2',
      'Remove it, or use one of: args, models, thinking, env, set, timeout, onCrash.',
    ],
  ],
  [
    'a command without a program',
    config('[executors.mine]\nkind = "command"\n'),
    ['CONFIG_EXECUTOR_UNFINISHED', '`run` of the executor `mine` is missing.', '~/heddle.toml:1', 'Add `run`.'],
  ],
  [
    'an activity without a queue',
    config('[executors.mine]\nkind = "activity"\nname = "x"\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      '`taskQueue` of the executor `mine` is missing.',
      '~/heddle.toml:1',
      'Add `taskQueue`.',
    ],
  ],
  [
    'models that no argument uses',
    config('[executors.mine]\nkind = "command"\nrun = ["x"]\nmodels = ["m"]\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      '`models` is given, but no argument of `run` says where the model belongs.',
      '~/heddle.toml:4',
      'Put `{model}` into `run`, such as `["./agent.sh", "--model", "{model}"]`.',
    ],
  ],
  [
    'four models',
    config('executors.claude.models = ["a", "b", "c", "d"]\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`models` should be a list of 1 to 3 names of models, the weakest first; found a list.',
      '~/heddle.toml:1:27 (executors.claude.models)',
      'Make it a list of 1 to 3 names of models, the weakest first.',
    ],
  ],
  [
    'a value where the name of a variable belongs',
    config('executors.claude.env = ["TOKEN=hunter2"]\n'),
    [
      'CONFIG_WRONG_TYPE',
      'Each entry of `env` should be the name of an environment variable, such as `GH_TOKEN`, without its value.',
      '~/heddle.toml:1:25 (executors.claude.env[0])',
      'Name the variable only; its value is taken from the environment of the worker.',
    ],
  ],
  [
    'arguments that are one text',
    config('executors.claude.args = "--api-key hunter2"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`args` should be a list of arguments; found a string.',
      '~/heddle.toml:1:25 (executors.claude.args)',
      'Make it a list of arguments.',
    ],
  ],
  [
    'an agent with a tool that is not there',
    config('[executors.mine]\nkind = "agent"\ntools = ["read_files"]\n'),
    [
      'CONFIG_WRONG_TYPE',
      'There is no tool `read_files`; did you mean `read_file`?',
      '~/heddle.toml:3',
      'Write `read_file`.',
    ],
  ],
  [
    'an agent with a key of programs',
    config('[executors.mine]\nkind = "agent"\nrun = ["sh"]\n'),
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      '`run` of the executor `mine` is not a key of an executor of the kind `agent`.',
      '~/heddle.toml:3',
      'Remove it, or use one of: model, tools, iterations, timeout.',
    ],
  ],
  [
    'a model of a provider that is not there',
    config('[models.small]\nprovider = "open-ai"\nid = "m"\n'),
    [
      'CONFIG_UNKNOWN_PROVIDER',
      'There is no provider `open-ai` in the config; did you mean `openai`?',
      '~/heddle.toml:2',
      'Write `openai`, or add a table `[providers.NAME]` to heddle.toml.',
    ],
  ],
  [
    'a misspelt key of a provider',
    config('[providers.local]\nkind = "ollama"\nbaseURL = "http://127.0.0.1:1"\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`baseURL` is not a key of a provider; did you mean `baseUrl`?',
      '~/heddle.toml:3:1 (providers.local.baseURL)',
      'Rename it to `baseUrl`.',
    ],
  ],
  [
    'a key of a provider by its value',
    config('[providers.p]\nkind = "openai"\nkey = "sk-123"\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`key` is not a key of a provider.',
      '~/heddle.toml:3:1 (providers.p.key)',
      'Remove it, or use one of: kind, keyEnv, baseUrl, script, program, args.',
    ],
  ],
  [
    'a kind of provider that there is not',
    config('[providers.local]\nkind = "olama"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`kind` should be `anthropic`, `openai`, `openai-compatible`, `ollama`, `scripted` or `cli`; found the string "olama".',
      '~/heddle.toml:2:8 (providers.local.kind)',
      'Make it `anthropic`, `openai`, `openai-compatible`, `ollama`, `scripted` or `cli`.',
    ],
  ],
  [
    'a misspelt key of a model',
    config('[models.small]\nprovider = "openai"\nid = "m"\ncontex = 5\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`contex` is not a key of a model; did you mean `context`?',
      '~/heddle.toml:4:1 (models.small.contex)',
      'Rename it to `context`.',
    ],
  ],
  [
    'a key of a price that there is not',
    config('[models.small]\nprovider = "openai"\nid = "m"\nprice = { input = 1.0, out = 2.0 }\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`input` is not a key of `price`.',
      '~/heddle.toml:4:11 (models.small.price.input)',
      'Remove it, or use one of: in, out, cached.',
    ],
  ],
  [
    'a misspelt role of a model',
    config('[models.small]\nprovider = "openai"\nid = "m"\nroles = ["exekutor"]\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`roles[0]` should be `planner`, `executor`, `verifier`, `extractor` or `compactor`; found the string "exekutor".',
      '~/heddle.toml:4:10 (models.small.roles[0])',
      'Make it `planner`, `executor`, `verifier`, `extractor` or `compactor`.',
    ],
  ],
  [
    'a model without its id',
    config('[models.small]\nprovider = "openai"\n'),
    [
      'CONFIG_MODEL_UNFINISHED',
      '`id` of the model `small` is missing.',
      '~/heddle.toml:1',
      "Add `id`, the provider's own name of the model.",
    ],
  ],
  [
    'a scripted provider without its script',
    config('[providers.p]\nkind = "scripted"\n'),
    [
      'CONFIG_MODEL_UNFINISHED',
      '`script` of the provider `p` is missing; `scripted` needs it.',
      '~/heddle.toml:1',
      'Add it, such as `script = "script.yaml"`.',
    ],
  ],
  [
    'a script of a provider that has none',
    config('[providers.p]\nkind = "openai"\nscript = "x"\n'),
    [
      'CONFIG_MODEL_UNFINISHED',
      '`script` of the provider `p` is only for the kind `scripted`.',
      '~/heddle.toml:3',
      'Remove it, or use `kind = "scripted"`.',
    ],
  ],
  [
    'a provider that is not there, when models are asked for',
    {
      files: { 'heddle.toml': '[models.small]\nprovider = "nobody"\nid = "m"\n' },
      argv: ['models'],
      env: { HEDDLE_TRUST: '1' },
    },
    [
      'CONFIG_UNKNOWN_PROVIDER',
      'There is no provider `nobody` in the config.',
      '~/heddle.toml:2',
      'Use one of: anthropic, openai; or add a table `[providers.NAME]` to heddle.toml.',
    ],
  ],
  [
    'a provider without its address',
    config('[providers.local]\nkind = "ollama"\n'),
    [
      'CONFIG_MODEL_UNFINISHED',
      '`baseUrl` of the provider `local` is missing; `ollama` needs it.',
      '~/heddle.toml:1',
      'Add it, such as `baseUrl = "http://127.0.0.1:11434"`.',
    ],
  ],
  [
    'a default executor that is not there',
    config('executor = "cluade"\n'),
    [
      'CONFIG_UNKNOWN_EXECUTOR',
      'There is no executor `cluade` in the config; did you mean `claude`?',
      '~/heddle.toml:1',
      'Write `claude`, or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    "a role's executor that is not there",
    config('[roles.writer]\nexecutor = "gemni"\n'),
    [
      'CONFIG_UNKNOWN_EXECUTOR',
      'There is no executor `gemni` in the config; did you mean `gemini`?',
      '~/heddle.toml:2',
      'Write `gemini`, or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    'a name with a blank',
    config('[executors."my agent"]\npreset = "claude"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`my agent` should be a table whose name is made of letters, digits, `_` or `-`; found a table.',
      '~/heddle.toml:1:2 (executors.my agent)',
      'Make it a table whose name is made of letters, digits, `_` or `-`.',
    ],
  ],
  [
    'a name that JavaScript keeps for itself',
    config('[roles.constructor]\ntier = 1\n'),
    [
      'CONFIG_SYNTAX',
      'This cannot be read as TOML: this name is reserved by JavaScript.',
      '~/heddle.toml:1:2',
      'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    ],
  ],
  [
    'a key twice',
    config('maxAttempts = 3\nmaxAttempts = 4\n'),
    [
      'CONFIG_SYNTAX',
      'This cannot be read as TOML: this key or table is given twice.',
      '~/heddle.toml:2:1',
      'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    ],
  ],
  [
    'a text that does not end',
    config('project = "web\n'),
    [
      'CONFIG_SYNTAX',
      'This cannot be read as TOML: a string in quotes ends on its own line.',
      '~/heddle.toml:1:15',
      'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    ],
  ],
  [
    'a table header that does not end',
    config('[budget\ncostUsd = 1\n'),
    [
      'CONFIG_SYNTAX',
      'This cannot be read as TOML: illegal character in key.',
      '~/heddle.toml:1:8',
      'Correct this line; strings and durations go in quotes, such as `"10m"`.',
    ],
  ],
  [
    'a file in another encoding',
    config(Buffer.from([0x23, 0x0a, 0x70, 0xe9])),
    ['CONFIG_SYNTAX', 'The config is not UTF-8 text.', '~/heddle.toml:2:2', 'Save the file as UTF-8.'],
  ],
  [
    'a file that is too large',
    config('#'.repeat(300_000)),
    [
      'CONFIG_TOO_LARGE',
      'The config file is larger than 256 kB.',
      '~/heddle.toml',
      'Check that this is a Heddle config file.',
    ],
  ],
  [
    'a folder in its place',
    { files: { 'heddle.toml/x': '' }, argv: ['config'] },
    [
      'CONFIG_NOT_READABLE',
      'The config file ~/heddle.toml is a folder.',
      '~/heddle.toml',
      'Put a file there, or remove it.',
    ],
  ],
  [
    'a misspelt key of the sandbox',
    config('[sandbox]\nnetwrok = true\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`netwrok` is not a key of `sandbox`; did you mean `network`?',
      '~/heddle.toml:2:1 (sandbox.netwrok)',
      'Rename it to `network`.',
    ],
  ],
  [
    'a mode of the sandbox that there is not',
    config('sandbox.mode = "strict"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`mode` should be `auto`, `require`, `container` or `off`; found the string "strict".',
      '~/heddle.toml:1:16 (sandbox.mode)',
      'Make it `auto`, `require`, `container` or `off`.',
    ],
  ],
  [
    'one folder where a list of them belongs',
    config('[sandbox]\nread = "docs"\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`read` should be a list of folders; found the string "docs".',
      '~/heddle.toml:2:8 (sandbox.read)',
      'Make it a list of folders.',
    ],
  ],
  [
    'a folder without a name',
    config('[sandbox]\nread = ["docs", ""]\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`read[1]` should be the path of a folder; found an empty string.',
      '~/heddle.toml:2:17 (sandbox.read[1])',
      'Make it the path of a folder.',
    ],
  ],
  [
    'a list of gates that there is not',
    config('[gates]\nalow = []\n'),
    [
      'CONFIG_UNKNOWN_KEY',
      '`alow` is not a key of `gates`; did you mean `allow`?',
      '~/heddle.toml:2:1 (gates.alow)',
      'Rename it to `allow`.',
    ],
  ],
  [
    'a rule for a tool that has none',
    config('[gates]\ndeny = ["shell:rm", "bash:rm"]\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`bash:rm` is not a rule: it begins with none of `shell:`, `git:`, `write:`, `web:`, `tool:`.',
      '~/heddle.toml:2:21 (gates.deny[1])',
      'Write it like `shell:npm test`, `git:commit`, `write:docs/**` or `web:docs.python.org`.',
    ],
  ],
  [
    'a rule that is a number',
    config('gates.ask = [7]\n'),
    [
      'CONFIG_WRONG_TYPE',
      '`ask[0]` should be a rule such as `shell:npm test`, `git:commit`, `write:docs/**` or `web:docs.python.org`; found the number 7.',
      '~/heddle.toml:1:14 (gates.ask[0])',
      'Make it a rule such as `shell:npm test`, `git:commit`, `write:docs/**` or `web:docs.python.org`.',
    ],
  ],
  [
    'a file that nobody trusts, for a task',
    { files: { 'heddle.toml': untrusted, 'plan.yaml': aPlan }, argv: ['run', 'plan.yaml'] },
    [
      'CONFIG_NOT_TRUSTED',
      "This project's heddle.toml is not trusted, and it sets `maxAttempts`, `providers.anthropic.baseUrl`, `gates.allow` and `sandbox.mode`.",
      '~/heddle.toml:1 (maxAttempts), ~/heddle.toml:4 (providers.anthropic.baseUrl), ~/heddle.toml:6 (gates.allow), ~/heddle.toml:9 (sandbox.mode)',
      trustIt,
    ],
  ],
  [
    'a file that nobody trusts, for its models',
    { files: { 'heddle.toml': '[models.m]\nprovider = "p"\n[providers.p]\nkind = "openai"\n' }, argv: ['models'] },
    [
      'CONFIG_NOT_TRUSTED',
      "This project's heddle.toml is not trusted, and it sets `models.m.provider` and `providers.p.kind`.",
      '~/heddle.toml:2 (models.m.provider), ~/heddle.toml:4 (providers.p.kind)',
      trustIt,
    ],
  ],
  [
    'several mistakes',
    config('maxAtempts = 3\n[roles.writer]\ntier = 7\n'),
    ['CONFIG_INVALID', 'The config has 2 problems.', '', 'Correct each of the problems listed.'],
    [
      'CONFIG_UNKNOWN_KEY',
      '`maxAtempts` is not a key of the config; did you mean `maxAttempts`?',
      '~/heddle.toml:1:1 (maxAtempts)',
      'Rename it to `maxAttempts`.',
    ],
    [
      'CONFIG_WRONG_TYPE',
      '`tier` should be 1, 2 or 3; found the number 7.',
      '~/heddle.toml:3:8 (roles.writer.tier)',
      'Make it 1, 2 or 3.',
    ],
  ],
  [
    "a mistake in the user's file",
    { files: { '.config/heddle/heddle.toml': 'idel = "5m"\n' }, argv: ['list'] },
    [
      'CONFIG_UNKNOWN_KEY',
      '`idel` is not a key of the config; did you mean `idle`?',
      '~/.config/heddle/heddle.toml:1:1 (idel)',
      'Rename it to `idle`.',
    ],
  ],
  [
    'a mistake in the file of a folder above',
    {
      files: { 'heddle.toml': 'tier = 1\n', 'w/plan.yaml': 'goal: g\nworkspace: w\nsubtasks: [{ id: a }]\n' },
      argv: ['run', 'w/plan.yaml'],
    },
    [
      'CONFIG_UNKNOWN_KEY',
      '`tier` is not a key of the config, but of a subtask.',
      '~/heddle.toml:1:1 (tier)',
      'Move it to a subtask, or remove it.',
    ],
  ],
  [
    'a mistake that the worker finds',
    prepared(
      { goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'] } }] },
      { files: { 'heddle.toml': 'maxAtempts = 3\n' } },
    ),
    [
      'CONFIG_UNKNOWN_KEY',
      '`maxAtempts` is not a key of the config; did you mean `maxAttempts`?',
      '~/heddle.toml:1:1 (maxAtempts)',
      'Rename it to `maxAttempts`.',
    ],
  ],
];

const flags: Row[] = [
  [
    'a flag without a value',
    { argv: ['config', '-c', 'maxAttempts'] },
    [
      'CONFIG_FLAG_INVALID',
      '`maxAttempts` does not set a key of the config.',
      '--config',
      'Write `KEY=VALUE`, such as `maxAttempts=3` or `budget.costUsd=2.50`.',
    ],
  ],
  [
    'a misspelt key in a flag',
    { argv: ['config', '-c', 'budget.cost=1'] },
    [
      'CONFIG_UNKNOWN_KEY',
      '`cost` is not a key of `budget`; did you mean `costUsd`?',
      '--config budget.cost',
      'Rename it to `costUsd`.',
    ],
  ],
  [
    'a wrong value in a flag',
    { argv: ['config', '-c', 'maxAttempts=many'] },
    [
      'CONFIG_WRONG_TYPE',
      '`maxAttempts` should be a whole number from 1 to 100; found the string "many".',
      '--config maxAttempts',
      'Make it a whole number from 1 to 100.',
    ],
  ],
  [
    'a flag about the service',
    { argv: ['config', '-c', 'idle=5m'] },
    [
      'CONFIG_FLAG_INVALID',
      '`idle` is about processes that may run already: a flag cannot change it.',
      '--config idle',
      'Set it in the environment or in heddle.toml, then start the service or the worker again.',
    ],
  ],
  [
    'a flag that names no executor',
    { files: { 'plan.yaml': 'goal: g\nsubtasks: [{ id: a }]\n' }, argv: ['run', 'plan.yaml', '-c', 'executor=claud'] },
    [
      'CONFIG_UNKNOWN_EXECUTOR',
      'There is no executor `claud` in the config; did you mean `claude`?',
      '--config executor',
      'Write `claude`, or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    'a flag that leaves an executor unfinished',
    { argv: ['config', '-c', 'executors.mine.timeout=5m'] },
    [
      'CONFIG_EXECUTOR_UNFINISHED',
      'The executor `mine` has neither `preset` nor `kind`.',
      '--config executors.mine.timeout',
      'Set `preset`, or `kind` with its keys.',
    ],
  ],
];

const environment: Row[] = [
  [
    'a number that is none',
    { env: { HEDDLE_MAX_ATTEMPTS: 'abc' }, argv: ['config'] },
    [
      'CONFIG_WRONG_TYPE',
      '`maxAttempts` should be a whole number from 1 to 100; found the string "abc".',
      'variable HEDDLE_MAX_ATTEMPTS',
      'Make it a whole number from 1 to 100.',
    ],
  ],
  [
    'a number out of range',
    { env: { HEDDLE_MAX_PARALLEL_SUBTASKS: '0' }, argv: ['config'] },
    [
      'CONFIG_WRONG_TYPE',
      '`maxParallelSubtasks` should be a whole number from 1 to 500; found the number 0.',
      'variable HEDDLE_MAX_PARALLEL_SUBTASKS',
      'Make it a whole number from 1 to 500.',
    ],
  ],
  [
    'a truth value that is none',
    { env: { HEDDLE_PLAN_APPROVAL: 'yes' }, argv: ['config'] },
    [
      'CONFIG_WRONG_TYPE',
      '`planApproval` should be `true` or `false`; found the string "yes".',
      'variable HEDDLE_PLAN_APPROVAL',
      'Make it `true` or `false`.',
    ],
  ],
  [
    'a budget that is none',
    { env: { HEDDLE_BUDGET_COST_USD: '2,50' }, argv: ['config'] },
    [
      'CONFIG_WRONG_TYPE',
      '`costUsd` should be a number, 0 or more; found the string "2,50".',
      'variable HEDDLE_BUDGET_COST_USD',
      'Make it a number, 0 or more.',
    ],
  ],
  [
    'an executor that is not there',
    { env: { HEDDLE_EXECUTOR: 'cluade' }, argv: ['config'] },
    [
      'CONFIG_UNKNOWN_EXECUTOR',
      'There is no executor `cluade` in the config; did you mean `claude`?',
      'variable HEDDLE_EXECUTOR',
      'Write `claude`, or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    'an idle time that is none',
    { env: { HEDDLE_IDLE: 'abc' }, argv: ['list'] },
    [
      'CONFIG_WRONG_TYPE',
      '`idle` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the string "abc".',
      'variable HEDDLE_IDLE',
      'Make it a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`.',
    ],
  ],
  [
    'an idle time without a unit',
    { env: { HEDDLE_IDLE: '600' }, argv: ['list'] },
    [
      'CONFIG_WRONG_TYPE',
      '`idle` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the number 600.',
      'variable HEDDLE_IDLE',
      'Make it a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`.',
    ],
  ],
  [
    'a task queue with a line break',
    { env: { HEDDLE_TASK_QUEUE: 'a\nb' }, argv: ['list'] },
    [
      'CONFIG_WRONG_TYPE',
      '`taskQueue` should be the name of a task queue: 1 to 200 printable characters; found the string "a\\u{a}b".',
      'variable HEDDLE_TASK_QUEUE',
      'Make it the name of a task queue: 1 to 200 printable characters.',
    ],
  ],
  [
    'a config file that is not there',
    { env: { HEDDLE_CONFIG: '~/no.toml' }, argv: ['config'] },
    [
      'CONFIG_NOT_READABLE',
      'The config file ~/no.toml does not exist.',
      '~/no.toml',
      'Correct HEDDLE_CONFIG or the permissions of the file.',
    ],
  ],
  [
    'a home below a file',
    { files: { file: '' }, env: { HEDDLE_HOME: '~/file/home' }, argv: ['list'] },
    [
      'HOME_NOT_WRITABLE',
      'Heddle cannot keep its state in ~/file: it is not a folder',
      '~/file',
      'Set HEDDLE_HOME to a folder that you can write to, or free some space there.',
    ],
  ],
  [
    'a Temporal profile that is not there',
    {
      files: { 'temporal.toml': '[profile.default]\naddress = "x:1"\n' },
      env: { TEMPORAL_CONFIG_FILE: '~/temporal.toml', TEMPORAL_PROFILE: 'prod' },
      argv: ['list'],
    },
    [
      'TEMPORAL_CONFIG_INVALID',
      "Temporal's configuration cannot be read: Profile 'prod' not found in config data",
      'TEMPORAL_* variables or the profile file',
      'Correct it, or unset it to use the local service.',
    ],
  ],
  [
    'a Temporal profile that is not TOML',
    { files: { 'temporal.toml': '[profile\n' }, env: { TEMPORAL_CONFIG_FILE: '~/temporal.toml' }, argv: ['list'] },
    [
      'TEMPORAL_CONFIG_INVALID',
      "Temporal's configuration cannot be read: Invalid TOML document: illegal character in key",
      'TEMPORAL_* variables or the profile file',
      'Correct it, or unset it to use the local service.',
    ],
  ],
  [
    'a way to Temporal that there is not',
    { env: { HEDDLE_TEMPORAL_SOURCE: 'brew' }, argv: ['list'] },
    [
      'TEMPORAL_SOURCE_UNKNOWN',
      'HEDDLE_TEMPORAL_SOURCE is brew, which is not a source of the Temporal server',
      'HEDDLE_TEMPORAL_SOURCE',
      'Set it to one of env, path, cache, pip, download, go, or unset it to try them all.',
    ],
  ],
  [
    'a program that is not there',
    prepared({ goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['no-such-agent'] } }] }),
    [
      'PROGRAM_NOT_FOUND',
      'The program no-such-agent of a was not found or is not executable',
      'subtask a, executor.run',
      'Install it, or give its path relative to the workspace.',
    ],
  ],
  [
    'a program that may not be executed',
    prepared(
      { goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['./agent.sh'] } }] },
      { files: { 'agent.sh': 'echo' } },
    ),
    [
      'PROGRAM_NOT_FOUND',
      'The program ./agent.sh of a was not found or is not executable',
      'subtask a, executor.run',
      'Install it, or give its path relative to the workspace.',
    ],
  ],
  [
    'a preset whose program is not there',
    prepared({ goal: 'g', executor: 'aider', subtasks: [{ id: 'a' }] }, { env: { PATH: '~' } }),
    [
      'PROGRAM_NOT_FOUND',
      'The program aider of a was not found or is not executable',
      'subtask a, executor.run',
      'Install it, or give its path relative to the workspace.',
    ],
  ],
  [
    'a variable that is not set',
    prepared({ goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'], env: ['GH_TOKEN'] } }] }),
    [
      'VARIABLE_NOT_SET',
      'The variable GH_TOKEN that a needs is not set',
      'subtask a, executor.env',
      'Set GH_TOKEN and run again; a task of another client or host needs it in the environment of its worker.',
    ],
  ],
  [
    'a workspace that is not there',
    prepared({
      goal: 'g',
      subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'] } }],
      workspace: '/no/such/folder',
    }),
    [
      'WORKSPACE_NOT_FOUND',
      'The workspace /no/such/folder is not a folder on this host',
      'workspace',
      'Name a folder that exists where the worker runs.',
    ],
  ],
  [
    'two things at once',
    prepared({
      goal: 'g',
      subtasks: [{ id: 'a', executor: { kind: 'command', run: ['no-such-agent'], env: ['GH_TOKEN'] } }],
    }),
    [
      'PREFLIGHT_FAILED',
      'The task cannot run here: The program no-such-agent of a was not found or is not executable; The variable GH_TOKEN that a needs is not set',
      '',
      'Correct all of them, then run again.',
    ],
    [
      'PROGRAM_NOT_FOUND',
      'The program no-such-agent of a was not found or is not executable',
      'subtask a, executor.run',
      'Install it, or give its path relative to the workspace.',
    ],
    [
      'VARIABLE_NOT_SET',
      'The variable GH_TOKEN that a needs is not set',
      'subtask a, executor.env',
      'Set GH_TOKEN and run again; a task of another client or host needs it in the environment of its worker.',
    ],
  ],
];

const plans: Row[] = [
  [
    'a file that is not there',
    { argv: ['run', 'plan.yaml'] },
    [
      'PLAN_NOT_FOUND',
      'The plan file `plan.yaml` does not exist.',
      'plan.yaml',
      'Give the path of a plan file, or `-` for stdin. For a goal, give several words: heddle run "Make the tests pass".',
    ],
  ],
  [
    'an empty file',
    plan(''),
    [
      'PLAN_EMPTY',
      'The plan is empty.',
      'plan.yaml:1:1 (plan)',
      'Give it a `goal` and at least one entry in `subtasks`.',
    ],
  ],
  [
    'a string',
    plan('just words\n'),
    [
      'PLAN_WRONG_TYPE',
      'The plan should be a map with `goal` and `subtasks`; found the string "just words".',
      'plan.yaml:1:1 (plan)',
      'Make it a map with `goal` and `subtasks`.',
    ],
  ],
  [
    'no goal',
    plan('executor: { kind: command, run: [sh] }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_WRONG_TYPE',
      '`goal` is missing; it should be a string that is not empty.',
      'plan.yaml:1:1 (goal)',
      'Add `goal`.',
    ],
  ],
  [
    'no subtasks',
    plan('goal: g\n'),
    [
      'MODEL_NOT_CONFIGURED',
      'A goal needs a model, and there is none: the config names no model, none of ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and OPENROUTER_API_KEY is set, no agent CLI (claude, codex, gemini and opencode) is installed and logged in, and no Ollama server with a model runs here.',
      'goal',
      'Give a key, such as `export ANTHROPIC_API_KEY=YOUR_KEY`, or log in to an agent CLI, then run it again. `heddle doctor` shows what is there.',
    ],
  ],
  [
    'a tab',
    plan('goal: g\nsubtasks:\n\t- id: a\n'),
    ['PLAN_SYNTAX', 'A tab cannot indent a line in YAML.', 'plan.yaml:3:1', 'Indent with spaces.'],
  ],
  [
    'a key twice',
    plan('goal: g\ngoal: h\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_SYNTAX',
      'The key `goal` is given twice; the first is in line 1.',
      'plan.yaml:2:1',
      'Remove one of the two.',
    ],
  ],
  [
    'a misspelt key',
    plan('goal: g\nmaxParalel: 3\nexecutor: { kind: command, run: [sh] }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_UNKNOWN_KEY',
      '`maxParalel` is not a key of the plan; did you mean `maxParallelSubtasks`?',
      'plan.yaml:2:1 (maxParalel)',
      'Rename it to `maxParallelSubtasks`.',
    ],
  ],
  [
    'a misspelt key of a subtask',
    subtask('dependOn: [b]'),
    [
      'PLAN_UNKNOWN_KEY',
      '`dependOn` is not a key of a subtask; did you mean `dependsOn`?',
      'plan.yaml:5:5 (subtasks[0].dependOn)',
      'Rename it to `dependsOn`.',
    ],
  ],
  [
    'a key of the config',
    plan('goal: g\nmaxAttempts: 3\nexecutor: { kind: command, run: [sh] }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_UNKNOWN_KEY',
      '`maxAttempts` is not a key of the plan, but of a subtask.',
      'plan.yaml:2:1 (maxAttempts)',
      'Move it to a subtask, or remove it.',
    ],
  ],
  [
    'a subtask that nothing runs',
    plan('goal: g\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_WRONG_TYPE',
      '`executor` is missing, and the plan has no default for it.',
      'plan.yaml:2:12 (subtasks[0].executor)',
      'Set `executor` in the subtask, in the plan for all subtasks, or in heddle.toml.',
    ],
  ],
  [
    'an executor that is not in the config',
    subtask('executor: cluade'),
    [
      'PLAN_UNKNOWN_EXECUTOR',
      'There is no executor `cluade` in the config; did you mean `claude`?',
      'plan.yaml:5:15 (subtasks[0].executor)',
      'Write `claude`, or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    'an executor that nothing is like',
    plan('goal: g\nexecutor: make\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_UNKNOWN_EXECUTOR',
      'There is no executor `make` in the config.',
      'plan.yaml:2:11 (executor)',
      'Use one of: claude, codex, gemini, opencode, aider, agent; or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
  [
    'a role that is not in the config',
    {
      files: {
        'heddle.toml': '[roles.writer]\ntier = 2\n',
        'plan.yaml': 'goal: g\nexecutor: claude\nsubtasks: [{ id: a, role: writter }]\n',
      },
      argv: ['run', 'plan.yaml'],
      env: { HEDDLE_TRUST: '1' },
    },
    [
      'PLAN_UNKNOWN_ROLE',
      'There is no role `writter` in the config; did you mean `writer`?',
      'plan.yaml:3:27 (subtasks[0].role)',
      'Write `writer`, or add a table `[roles.NAME]` to heddle.toml.',
    ],
  ],
  [
    'an executor without a program',
    subtask('executor: { kind: command }'),
    [
      'PLAN_WRONG_TYPE',
      '`run` is missing; it should be a list of the program and its arguments, such as `["sh", "-c", "make"]`.',
      'plan.yaml:5:15 (subtasks[0].executor.run)',
      'Add `run`.',
    ],
  ],
  [
    'an agent where no model is configured',
    prepared({ goal: 'g', executor: 'agent', subtasks: [{ id: 'a' }] }),
    [
      'MODEL_NOT_FOUND',
      'No model serves the role `executor`, which a needs; there are none',
      'subtask a, executor.kind',
      'To have one, add a table `[models.NAME]` with `provider` and `id` to heddle.toml.',
    ],
  ],
  [
    'an agent whose model is misspelt',
    prepared(
      { goal: 'g', executor: { kind: 'agent', model: 'smal' }, subtasks: [{ id: 'a' }] },
      { files: { 'heddle.toml': aModel }, env: { ANTHROPIC_API_KEY: 'k' } },
    ),
    [
      'MODEL_NOT_FOUND',
      'There is no model `smal`, which a names; did you mean `small`?',
      'subtask a, executor.model',
      'Write `small`, or add a table `[models.NAME]` with `provider` and `id` to heddle.toml.',
    ],
  ],
  [
    'an agent whose model has no key',
    prepared({ goal: 'g', executor: 'agent', subtasks: [{ id: 'a' }] }, { files: { 'heddle.toml': aModel } }),
    [
      'MODEL_KEY_MISSING',
      'The variable ANTHROPIC_API_KEY with the key of anthropic, which serves the model small, is not set',
      'providers.anthropic.keyEnv',
      'Set ANTHROPIC_API_KEY and run again; a task of another client or host needs it in the environment of its worker.',
    ],
  ],
  [
    'an agent whose model has no price, under a budget of money',
    prepared(
      { goal: 'g', executor: 'agent', budget: { costUsd: 1 }, subtasks: [{ id: 'a' }] },
      { files: { 'heddle.toml': aModel }, env: { ANTHROPIC_API_KEY: 'k' } },
    ),
    [
      'MODEL_PRICE_MISSING',
      'The model small, which a may use, has no price: a budget of `costUsd` could not be kept',
      'models.small.price',
      'Add `price = { in = 1.0, out = 5.0 }` (USD per million tokens; zeros when it is free) to `[models.small]`, or remove `costUsd` from the budget.',
    ],
  ],
  [
    'a program that does not tell its cost, under a budget of money',
    prepared({
      goal: 'g',
      budget: { costUsd: 1 },
      subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'], output: 'codex' } }],
    }),
    [
      'EXECUTOR_COST_UNKNOWN',
      'The program sh, which a runs, does not report its cost: a budget of `costUsd` could not be kept',
      'subtask a, executor.output',
      'Limit `tokens`, which it reports, instead of `costUsd`, or use an executor that reports its cost.',
    ],
  ],
  [
    'an agent whose script is not there',
    scripted(undefined),
    [
      'SCRIPT_INVALID',
      'The script ~/script.yaml of the provider demo does not exist',
      'providers.demo.script',
      'Correct `script`; a relative path starts at the folder of the file that names it.',
    ],
  ],
  [
    'an agent whose script is not YAML',
    scripted('- when: {\n'),
    [
      'SCRIPT_INVALID',
      'The script is not valid YAML: Flow map in block collection must be sufficiently indented and end with a }.',
      '~/script.yaml:2:1',
      'Correct the text at this place.',
    ],
  ],
  [
    'an agent whose script is empty',
    scripted('[]\n'),
    [
      'SCRIPT_INVALID',
      'The script should be a list with at least one entry.',
      '~/script.yaml:1:1',
      'Make it a list with at least one entry.',
    ],
  ],
  [
    'a misspelt key of a script',
    scripted('- reply: { text: x }\n- when: { subtsk: a }\n  reply: { text: x }\n'),
    [
      'SCRIPT_INVALID',
      '`subtsk` is not a key of `when` of entry 2.',
      '~/script.yaml:2:9',
      'Write `subtask`, or remove it.',
    ],
  ],
  [
    'a status of a reply that no service sends',
    scripted('- reply: { status: 99 }\n'),
    [
      'SCRIPT_INVALID',
      '`reply.status` of entry 1 should be a whole number from 200 to 599.',
      '~/script.yaml:1:20',
      'Make it a whole number from 200 to 599.',
    ],
  ],
  [
    'a misspelt key of an agent',
    plan('goal: g\nexecutor: { kind: agent, iteration: 3 }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_UNKNOWN_KEY',
      '`iteration` is not a key of an `agent` executor; did you mean `iterations`?',
      'plan.yaml:2:26 (executor.iteration)',
      'Rename it to `iterations`.',
    ],
  ],
  [
    'a misspelt tool',
    plan('goal: g\nexecutor: { kind: agent, tools: [raed_file] }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_WRONG_TYPE',
      'There is no tool `raed_file`; did you mean `read_file`?',
      'plan.yaml:2:34 (executor.tools[0])',
      'Write `read_file`.',
    ],
  ],
  [
    'a tier that there is not',
    subtask('tier: 4'),
    [
      'PLAN_WRONG_TYPE',
      '`tier` should be 1, 2 or 3; found the number 4.',
      'plan.yaml:5:11 (subtasks[0].tier)',
      'Make it 1, 2 or 3.',
    ],
  ],
  [
    'a duration without a unit',
    subtask('executor: { kind: command, run: [sh], timeout: 10 }'),
    [
      'PLAN_WRONG_TYPE',
      '`timeout` should be a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`; found the number 10.',
      'plan.yaml:5:52 (subtasks[0].executor.timeout)',
      'Make it a duration such as `500ms`, `30s`, `10m`, `2h` or `3d`.',
    ],
  ],
  [
    'a deliverable outside',
    subtask('deliverables: [../x]'),
    [
      'PLAN_PATH_OUTSIDE',
      '`../x` leads outside the workspace.',
      'plan.yaml:5:20 (subtasks[0].deliverables[0])',
      'Give a relative path inside the workspace.',
    ],
  ],
  [
    'a dependency that is not there',
    subtask('dependsOn: [b]'),
    [
      'PLAN_UNKNOWN_DEPENDENCY',
      '`a` depends on `b`, which is not the id of a subtask.',
      'plan.yaml:5:17 (subtasks[0].dependsOn[0])',
      'Remove it, or add a subtask with that id.',
    ],
  ],
  [
    'a dependency on itself',
    subtask('dependsOn: [a]'),
    [
      'PLAN_CYCLE',
      'The dependencies form a cycle: a -> a.',
      'plan.yaml:5:17 (subtasks[0].dependsOn[0])',
      'Remove one of these dependencies, so that one of the subtasks can start.',
    ],
  ],
  [
    'an id twice',
    plan('goal: g\nexecutor: claude\nsubtasks: [{ id: a }, { id: a }]\n'),
    [
      'PLAN_DUPLICATE_ID',
      'The id `a` is already used by `subtasks[0]`.',
      'plan.yaml:3:29 (subtasks[1].id)',
      'Give each subtask its own id.',
    ],
  ],
  [
    'a ladder without a rung',
    plan('goal: g\nladder: []\nexecutor: { kind: command, run: [sh] }\nsubtasks: [{ id: a }]\n'),
    [
      'PLAN_WRONG_TYPE',
      '`ladder` should be a list with at least one rung that is not a person, such as `{ tier: assigned }`; found an empty list.',
      'plan.yaml:2:9 (ladder)',
      'Make it a list with at least one rung that is not a person, such as `{ tier: assigned }`.',
    ],
  ],
  [
    'a pattern that does not compile',
    subtask('rules: [{ pattern: "(" }]'),
    [
      'PLAN_WRONG_TYPE',
      '`pattern` should be a regular expression; this one does not compile: Unterminated group.',
      'plan.yaml:5:24 (subtasks[0].rules[0].pattern)',
      'Correct the pattern; put `\\` before a special character that is meant literally.',
    ],
  ],
  [
    'settings in a plan file, which would speak for its starter',
    plan(`${aPlan}config: { flags: { providers: { anthropic: { baseUrl: "http://127.0.0.1:9" } } } }\n`),
    [
      'PLAN_UNKNOWN_KEY',
      '`config` is not a key of a plan file: only the program that starts a task sets it.',
      'plan.yaml:4:1 (config)',
      'Remove it; settings belong into heddle.toml or `--config KEY=VALUE`.',
    ],
  ],
  [
    'a hash that is none, from a program that starts a task',
    prepared({
      goal: 'g',
      subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'] } }],
      config: { trusted: { path: '/x/heddle.toml', sha256: 'yes' } },
    }),
    [
      'PLAN_WRONG_TYPE',
      '`sha256` should be a SHA-256 as 64 hexadecimal digits; found the string "yes".',
      'config.trusted.sha256',
      'Make it a SHA-256 as 64 hexadecimal digits.',
    ],
  ],
  [
    'a wrong flag inside the plan',
    prepared({
      goal: 'g',
      subtasks: [{ id: 'a', executor: { kind: 'command', run: ['sh'] } }],
      config: { flags: { maxAtempts: 3 } },
    }),
    [
      'PLAN_UNKNOWN_KEY',
      '`maxAtempts` is not a key of the config; did you mean `maxAttempts`?',
      'config.flags.maxAtempts',
      'Rename it to `maxAttempts`.',
    ],
  ],
  [
    'an executor that only the worker knows not to be there',
    prepared({ goal: 'g', executor: 'mine', subtasks: [{ id: 'a' }] }),
    [
      'PLAN_UNKNOWN_EXECUTOR',
      'There is no executor `mine` in the config.',
      'executor',
      'Use one of: claude, codex, gemini, opencode, aider, agent; or add a table `[executors.NAME]` to heddle.toml.',
    ],
  ],
];

const groups = { 'a config': configs, 'a flag': flags, 'an environment': environment, 'a plan': plans };

test('the table has at least 60 rows, each of another mistake', () => {
  const rows = Object.values(groups).flat();
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(([, input]) => JSON.stringify(input))).size).toBe(rows.length);
});

for (const [group, rows] of Object.entries(groups)) {
  describe(`${group} is refused with exit 2`, () => {
    test.each(rows)('%s', async (_name, input, ...refusals) => {
      expect(await listRefusals(input)).toEqual(refusals);
    });
  });
}
