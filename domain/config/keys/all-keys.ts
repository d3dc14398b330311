import type { ConfigName } from '../../schema/config-schema.ts';
import { writeDuration } from '../../text/duration.ts';
import { builtInExecutors, presetNames } from '../../executors/presets.ts';
import { limits } from '../../limits/domain-limits.ts';
import { defaultTaskQueue } from '../../names/names.ts';
import { planDefaults } from '../../plan/complete-plan.ts';
import { codecConfigKeys } from './codec-keys.ts';
import type { ConfigKey } from './config-key.ts';
import { contextKeys, limitKeys, loggingKeys } from './limit-keys.ts';
import { gateKeys, sandboxKeys, webKeys } from './guard-keys.ts';
import { judgeKeys } from './judge-keys.ts';
import { memoryKeys } from './memory-keys.ts';
import { modelKeys, providerKeys } from './model-keys.ts';
import { promptKeys } from './prompt-keys.ts';
import { serverKeys } from './server-keys.ts';
import { mcpKeys, ownToolKeys } from './tool-keys.ts';

const { approval, retry } = planDefaults;

/** Examples for limits that have no default. */
const budgets = { wallClock: '2h', costUsd: 5, tokens: 400_000, modelCalls: 200, toolCalls: 500, mutations: 100 };

/** The rows of each key of the config, in the order in which people meet them. A key without rows does not compile. */
const rowsByName = {
  executor: [
    {
      key: 'executor',
      about: `The executor of subtasks whose plan names none. ${builtInExecutors.join(', ')} are built in.`,
      example: 'claude',
    },
  ],
  executors: [
    ...presetNames.map((preset) => ({
      key: `executors.${preset}` as const,
      about:
        'An executor from a preset. `models` by tier, `args`, `thinking`, `env`, `set`, `timeout`, `onCrash` change the preset.',
      value: { preset },
    })),
    {
      key: 'executors.mine',
      about:
        'A program of your own: `{model}` is replaced by the model of the tier, `{thinking}` by the arguments for thinking.',
      example: {
        kind: 'command',
        run: ['./agent.sh', '--model', '{model}', '{thinking}'],
        models: ['small', 'large'],
        thinking: ['--think'],
        prompt: 'stdin',
        timeout: '20m',
        env: ['MY_TOKEN?'],
        onCrash: 'rerun',
      },
    },
    {
      key: 'executors.ours',
      about: 'A Temporal activity of your own.',
      example: { kind: 'activity', name: 'myActivity', taskQueue: 'my-queue', timeout: '10m', heartbeat: '30s' },
    },
    {
      key: 'executors.agent',
      about: 'The built-in agent: a model with tools. `model`, `tools`, `iterations`, `timeout` change it.',
      value: { kind: 'agent' },
      implied: { iterations: limits.agentIterations, timeout: writeDuration(limits.agentTimeout) },
    },
  ],
  providers: providerKeys,
  models: modelKeys,
  sandbox: sandboxKeys,
  gates: gateKeys,
  web: webKeys,
  context: contextKeys,
  memory: memoryKeys,
  verification: judgeKeys,
  prompts: promptKeys,
  roles: [
    {
      key: 'roles.writer',
      about: 'The meaning of `role: writer` in a subtask. The persona comes before the task in the prompt.',
      example: {
        persona: 'You write short sentences.',
        executor: 'claude',
        tier: 2,
        recovery: { timeout: { tries: 2 } },
      },
    },
  ],
  project: [
    {
      key: 'project',
      about: 'Memory is shared inside a project; by default the folder and a hash of its path.',
      example: 'website',
    },
  ],
  approval: [
    {
      key: 'approval',
      about:
        'Ask about finished subtasks: off, auto, manual or threshold, or a table with `mode`, `at`, `onTimeout`, `timeout`.',
      value: { mode: approval.mode, at: approval.at, onTimeout: approval.onTimeout },
      implied: { timeout: writeDuration(limits.answerWithin) },
    },
  ],
  planApproval: [{ key: 'planApproval', about: 'Ask before anything runs.', value: false }],
  planning: [
    {
      key: 'planning.degraded',
      about:
        'For a goal that could not be planned: `allow` runs it as one subtask, `require-approval` asks first, `deny` fails the task.',
      value: planDefaults.planning.degraded,
    },
    {
      key: 'planning.tries',
      about: 'How often a model is asked for the plan of a goal.',
      value: planDefaults.planning.tries,
    },
  ],
  maxParallelSubtasks: [
    { key: 'maxParallelSubtasks', about: 'Subtasks that run at once.', value: limits.maxParallelSubtasks },
  ],
  maxAttempts: [
    { key: 'maxAttempts', about: 'Attempts of one subtask before a person is asked.', value: limits.maxAttempts },
  ],
  escalationPause: [
    { key: 'escalationPause', about: 'This many escalations pause a task.', value: limits.escalationPause },
  ],
  commandTimeout: [
    { key: 'commandTimeout', about: 'Time for one attempt.', value: writeDuration(limits.commandTimeout) },
  ],
  verifyTimeout: [
    { key: 'verifyTimeout', about: 'Time for one verify command.', value: writeDuration(limits.verifyCommandTimeout) },
  ],
  contractCheck: [
    {
      key: 'contractCheck',
      about: 'Check of the files that a program reports against the files that changed: off, warn or enforce.',
      value: planDefaults.contractCheck,
    },
  ],
  budget: [
    ...Object.entries(budgets).map(([name, example]) => ({
      key: `budget.${name}` as const,
      about: 'At this limit a person is asked. There is no limit by default.',
      example,
    })),
    { key: 'budget.remediations', about: 'Tries to find owed evidence. There is no limit by default.', example: 20 },
    { key: 'budget.replans', about: 'New plans of one task, before a person is asked.', implied: limits.replans },
    {
      key: 'budget.onExhausted',
      about: 'At a limit, `ask` a person, or `stop`: the task fails and keeps finished work.',
      example: 'stop',
    },
  ],
  retry: [
    {
      key: 'retry',
      about: 'How temporary failures are retried on rungs without a `retry` of their own.',
      value: {
        ...retry,
        initialInterval: writeDuration(retry.initialInterval),
        maximumInterval: writeDuration(retry.maximumInterval),
      },
    },
  ],
  ladder: [
    {
      key: 'ladder',
      about: 'How a failed subtask is tried again.',
      value: planDefaults.ladder.map(({ tier, feedback, thinking, person, output }) =>
        person
          ? { person }
          : {
              tier,
              ...(feedback ? { feedback } : {}),
              ...(thinking ? { thinking } : {}),
              ...(output === undefined ? {} : { output }),
            },
      ),
    },
  ],
  recovery: [
    {
      key: 'recovery',
      about:
        'Overrides by failure type: `tries` at one tier, `wait` and `timeoutFactor` of the next attempt, `emphasis`.',
      implied: {
        timeout: { wait: writeDuration(limits.waitAfterTimeout), timeoutFactor: limits.timeoutGrowth },
        'empty-output': { wait: writeDuration(limits.waitAfterEmptyOutput) },
      },
    },
  ],
  remediation: [
    {
      key: 'remediation.policy',
      about:
        'For a result that misses only evidence: block (ask a person), confirm-or-prune-then-queue or queue-follow-up.',
      value: planDefaults.remediation.policy,
    },
  ],
  taskQueue: [
    { key: 'taskQueue', about: 'The task queue of the worker. Not for `--config`.', value: defaultTaskQueue },
  ],
  host: [
    {
      key: 'host',
      about: "The name of this worker's host, by default the machine's. Not for `--config`.",
      example: 'builder',
    },
  ],
  limits: limitKeys,
  processes: [
    {
      key: 'processes.paths',
      about: 'Folders with processes, besides your own and those of the workspace.',
      value: [],
    },
  ],
  redact: [{ key: 'redact.harmless', about: 'Variables of `env` whose values may be shown.', value: [] }],
  logging: loggingKeys,
  idle: [
    { key: 'idle', about: 'The local service stops after this time without a task. Not for `--config`.', value: '10m' },
  ],
  server: serverKeys,
  mcp: mcpKeys,
  tools: ownToolKeys,
  codec: codecConfigKeys,
} satisfies Record<ConfigName, readonly ConfigKey[]>;

/** Every key of the config. */
export const configKeys: readonly ConfigKey[] = Object.values<readonly ConfigKey[]>(rowsByName).flat();

/** Keys that only the environment or a file can set, because they concern processes that may already run. */
export const serviceKeys = [
  'taskQueue',
  'host',
  'idle',
  'logging',
  'server',
  'codec',
] as const satisfies readonly ConfigName[];

/** The defaults as the weakest layer. */
export const defaultConfig = (): Record<string, unknown> => buildTables('value');

/** Values that hold by default but are not written into a task. */
export const impliedConfig = (): Record<string, unknown> => buildTables('implied');

function buildTables(part: 'value' | 'implied'): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const entry of configKeys) {
    if (entry[part] === undefined) continue;
    const [name = '', ...rest] = entry.key.split('.');
    raw[name] = rest.length === 0 ? entry[part] : { ...Object(raw[name]), [rest.join('.')]: entry[part] };
  }
  return raw;
}
