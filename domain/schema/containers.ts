import { configSchema, processesSchema, roleSchema } from './config-schema.ts';
import { failureTypes } from '../types/basic/failure-types.ts';
import { promptForms, promptNames } from '../types/basic/prompt-sections.ts';
import { nearest } from '../text/nearest.ts';
import { executorMap, namedExecutorSchema } from '../executors/executor-schema.ts';
import { executorKinds } from '../executors/kinds.ts';
import { modelSchema, priceSchema, providerSchema } from '../llm/model-schema.ts';
import { entrySchema, replySchema, whenSchema } from '../llm/script-schema.ts';
import { gatesSchema, sandboxSchema, webSchema } from './gates-schema.ts';
import { contextSchema, environmentWaitSchema, limitsSchema, loggingSchema, redactSchema } from './limits-schema.ts';
import { recoveryEntrySchema, retrySchema, rungSchema } from './ladder-schema.ts';
import type { PlanPath } from '../input/problem.ts';
import { quoteName, valueAt } from '../input/problem.ts';
import { planEvidenceSchema, subtaskEvidenceSchema } from './evidence-schema.ts';
import { planSchema, ruleSchema, subtaskSchema } from './plan-schema.ts';
import { serverSchema } from './server-schema.ts';
import { mcpServerSchema, ownToolsSchema } from './tools-schema.ts';
import {
  inputSchema,
  phaseSchema,
  processModelsSchema,
  processPromptsSchema,
  processRuleSchema,
  processSchema,
  toolsSchema,
} from './process-schema.ts';
import { expectationSchema, gitStepSchema, processTestSchema, scriptedAnswerSchema } from './process-test-schema.ts';
import { codecSchema } from './codec-schema.ts';
import { memorySchema } from './memory-schema.ts';
import { approvalSchema, budgetSchema, planningSchema, remediationSchema } from './settings-schema.ts';
import { namedCheckSchema, verificationSchema, votingSchema } from './verification-schema.ts';

/** A kind of map in a plan: its name in messages, and its keys. */
interface KeyContainer {
  name: string;
  keys: readonly string[];
  /** A key that is unknown here is not searched in other containers. */
  isClosed?: true;
}

const listKeys = (schema: { shape: object }): string[] => Object.keys(schema.shape);

/** Programs write the others, so none of them is suggested. */
const planKeys = listKeys(planSchema).filter((key) => !['reuse', 'config', 'planOnly'].includes(key));
const subtaskKeys = listKeys(subtaskSchema).filter((key) => !['phase', 'advice'].includes(key));

const planContainers = {
  plan: { name: 'the plan', keys: planKeys },
  subtask: { name: 'a subtask', keys: subtaskKeys },
  approval: { name: '`approval`', keys: listKeys(approvalSchema) },
  budget: { name: '`budget`', keys: listKeys(budgetSchema) },
  planning: { name: '`planning`', keys: listKeys(planningSchema) },
  voting: { name: '`voting`', keys: listKeys(votingSchema) },
  remediation: { name: '`remediation`', keys: listKeys(remediationSchema) },
  rung: { name: 'a rung', keys: listKeys(rungSchema) },
  retry: { name: '`retry`', keys: listKeys(retrySchema) },
  rule: { name: 'a rule', keys: listKeys(ruleSchema) },
  recovery: { name: '`recovery`', keys: failureTypes },
  recoveryEntry: { name: 'a recovery override', keys: listKeys(recoveryEntrySchema) },
} as const satisfies Record<string, KeyContainer>;

const configContainers = {
  config: { name: 'the config', keys: listKeys(configSchema) },
  namedExecutor: { name: 'an executor', keys: listKeys(namedExecutorSchema) },
  provider: { name: 'a provider', keys: listKeys(providerSchema) },
  model: { name: 'a model', keys: listKeys(modelSchema) },
  price: { name: '`price`', keys: listKeys(priceSchema) },
  role: { name: 'a role', keys: listKeys(roleSchema) },
  sandbox: { name: '`sandbox`', keys: listKeys(sandboxSchema) },
  gates: { name: '`gates`', keys: listKeys(gatesSchema) },
  web: { name: '`web`', keys: listKeys(webSchema) },
  context: { name: '`context`', keys: listKeys(contextSchema) },
  verification: { name: '`verification`', keys: listKeys(verificationSchema) },
  limits: { name: '`limits`', keys: listKeys(limitsSchema) },
  environmentWait: { name: '`environmentWait`', keys: listKeys(environmentWaitSchema) },
  logging: { name: '`logging`', keys: listKeys(loggingSchema) },
  redact: { name: '`redact`', keys: listKeys(redactSchema) },
  memory: { name: '`memory`', keys: listKeys(memorySchema) },
  codec: { name: '`codec`', keys: listKeys(codecSchema) },
  processes: { name: '`processes`', keys: listKeys(processesSchema) },
  server: { name: '`server`', keys: listKeys(serverSchema) },
  mcpServer: { name: 'a server of tools', keys: listKeys(mcpServerSchema) },
  tools: { name: '`tools`', keys: listKeys(ownToolsSchema) },
  starter: { name: '`config`', keys: ['environment', 'flags', 'found', 'userFile', 'trusted', 'folder'] },
} as const satisfies Record<string, KeyContainer>;

const processContainers = {
  process: { name: 'the process', keys: listKeys(processSchema) },
  phase: { name: 'a phase', keys: listKeys(phaseSchema) },
  input: { name: 'an input', keys: listKeys(inputSchema) },
  processTools: { name: '`tools`', keys: listKeys(toolsSchema) },
  processRule: { name: 'a rule', keys: listKeys(processRuleSchema) },
  processModels: { name: '`models`', keys: listKeys(processModelsSchema) },
  processPrompts: { name: '`prompts`', keys: listKeys(processPromptsSchema) },
  test: { name: 'a test', keys: listKeys(processTestSchema) },
} as const satisfies Record<string, KeyContainer>;

const containers = { ...planContainers, ...configContainers, ...processContainers };

/** Keys of a named check are common words, so they are suggested nowhere else. */
const namedCheck: KeyContainer = { name: 'a check', keys: listKeys(namedCheckSchema), isClosed: true };

/** Keys of evidence are asked for where it is meant. */
const planEvidence: KeyContainer = { name: '`evidence`', keys: listKeys(planEvidenceSchema), isClosed: true };
const subtaskEvidence: KeyContainer = { name: '`evidence`', keys: listKeys(subtaskEvidenceSchema), isClosed: true };

/** Keys of `process` in a plan are common words too. */
const processChoice: KeyContainer = { name: '`process`', keys: ['name', 'definition'], isClosed: true };

/** Parts of a test, by their key in it. */
const testParts: ReadonlyMap<unknown, KeyContainer> = new Map<unknown, KeyContainer>([
  ['git', { name: 'a commit', keys: listKeys(gitStepSchema), isClosed: true }],
  ['script', { name: 'an entry of a script', keys: listScriptKeys(), isClosed: true }],
  ['answers', { name: 'an answer', keys: listKeys(scriptedAnswerSchema), isClosed: true }],
  [
    'expect',
    { name: '`expect`', keys: [...listKeys(expectationSchema), 'contains', 'lacks', 'matches'], isClosed: true },
  ],
]);

function listScriptKeys(): string[] {
  const ofCalls = ['tool', 'input', 'output', 'cached', 'reasoning'];
  return [...[entrySchema, whenSchema, replySchema].flatMap(listKeys), ...ofCalls];
}

/** `trusted` and `folder` are written by programs; their keys are common words, so they are not suggested. */
const trusted: KeyContainer = { name: '`trusted`', keys: ['path', 'sha256'] };

/** Tables of the config whose entries people name. */
const entryContainers: ReadonlyMap<unknown, KeyContainer> = new Map<unknown, KeyContainer>([
  ['executors', containers.namedExecutor],
  ['providers', containers.provider],
  ['models', containers.model],
  ['roles', containers.role],
  ['mcp', containers.mcpServer],
]);

/** Tables of `prompts`, by the depth of a path. Their keys are common words, so they are not suggested elsewhere, nor others here. */
function promptTable(path: PlanPath): KeyContainer {
  const isClosed = true as const;
  const prompt = promptNames.find((name) => name === path[1]);
  if (prompt === undefined) return { name: '`prompts`', keys: promptNames, isClosed };
  if (path.length > 2) return { name: 'a section', keys: ['replace'], isClosed };
  return { name: `\`prompts.${prompt}\``, keys: promptForms[prompt].sections, isClosed };
}

/** The containers in the order in which a misplaced key is searched: an author of a plan means a map of plans. */
const allContainers: readonly KeyContainer[] = [
  ...Object.values(planContainers),
  ...Object.keys(executorKinds).map(executorMap),
  ...Object.values(configContainers),
];

/** The kind of the checked value. */
export type Document = 'plan' | 'config' | 'process';

/** Finds the map of a process that a path leads to; undefined for those that it shares with a plan. */
function processContainerAt([first, second, third, ...rest]: PlanPath): KeyContainer | undefined {
  if (first === undefined) return containers.process;
  switch (first) {
    case 'tools':
      return containers.processTools;
    case 'models':
      return containers.processModels;
    case 'prompts':
      return containers.processPrompts;
    case 'inputs':
      return containers.input;
    case 'rules':
      return containers.processRule;
    case 'tests':
      return testParts.get(third) ?? containers.test;
    case 'roles':
      return third === undefined && rest.length === 0 ? containers.role : undefined;
    case 'phases':
      return second !== undefined && third === undefined ? containers.phase : undefined;
    default:
      return undefined;
  }
}

/** The containers in which a misplaced key is searched. In a config, a key of the config itself is more likely. */
const placesOf: Readonly<Record<Document, readonly KeyContainer[]>> = {
  plan: allContainers,
  config: [containers.config, ...allContainers],
  process: [
    ...Object.values(processContainers),
    ...allContainers.filter((each) => each !== containers.plan && each !== containers.subtask),
  ],
};

/** Finds the map that a path leads to. Only paths that the schema descends into occur. */
function containerAt(path: PlanPath, plan: unknown, document: Document): KeyContainer {
  if (document === 'plan' && path[0] === 'config') {
    if (path.length === 1) return containers.starter;
    return path[1] === 'trusted' || path[1] === 'folder'
      ? trusted
      : containerAt(path.slice(2), valueAt(plan, path.slice(0, 2)), 'config');
  }
  if (document === 'config' && path[0] === 'prompts') return promptTable(path);
  const ofProcess = document === 'process' ? processContainerAt(path) : undefined;
  if (ofProcess !== undefined) return ofProcess;
  const entry = document === 'config' && path.length === 2 ? entryContainers.get(path[0]) : undefined;
  if (entry !== undefined) return entry;
  const names = path.filter((part) => typeof part === 'string');
  const last = names.at(-1);
  if (names.at(-2) === 'recovery') return containers.recoveryEntry;
  switch (last) {
    case undefined:
      return containers[document];
    case 'verify':
      return namedCheck;
    case 'evidence':
      return path.length === 1 ? planEvidence : subtaskEvidence;
    case 'process':
      return processChoice;
    case 'ladder':
      return containers.rung;
    case 'rules':
      return containers.rule;
    case 'sandbox':
    case 'gates':
    case 'web':
    case 'context':
    case 'limits':
    case 'environmentWait':
    case 'logging':
    case 'redact':
    case 'memory':
    case 'codec':
    case 'remediation':
    case 'processes':
    case 'server':
    case 'tools':
    case 'price':
    case 'approval':
    case 'budget':
    case 'planning':
    case 'voting':
    case 'verification':
    case 'retry':
    case 'recovery':
      return containers[last];
    case 'executor':
      return executorMap(valueAt(plan, [...path, 'kind']));
    default:
      return containers.subtask;
  }
}

export interface UnknownKey {
  message: string;
  hint: string;
  /** The similar key that was probably meant. */
  suggestion: string | undefined;
}

/** Explains an unknown key, with the nearest valid one or the map that has it. */
export function explainUnknownKey(options: {
  key: string;
  path: PlanPath;
  plan: unknown;
  suggest: boolean;
  document: Document;
}): UnknownKey {
  const { key, path, plan, suggest, document } = options;
  const container = containerAt(path, plan, document);
  const what =
    container === containers.recovery
      ? `${quoteName(key)} is not a failure type`
      : `${quoteName(key)} is not a key of ${container.name}`;
  // A subtask's key that is one level too high is misplaced, not misspelt.
  const isMisplaced =
    (container === containers.plan && containers.subtask.keys.includes(key)) ||
    (container === containers.process && containers.phase.keys.includes(key));
  const suggestion = suggest && !isMisplaced ? nearest(key, container.keys) : undefined;
  if (suggestion !== undefined) {
    return { message: `${what}; did you mean \`${suggestion}\`?`, hint: `Rename it to \`${suggestion}\`.`, suggestion };
  }
  const places = placesOf[document];
  const home = container.isClosed ? undefined : places.find(({ keys }) => keys.includes(key));
  if (home !== undefined) {
    return { message: `${what}, but of ${home.name}.`, hint: `Move it to ${home.name}, or remove it.`, suggestion };
  }
  return { message: `${what}.`, hint: formatKeyHint(key, container), suggestion };
}

function formatKeyHint(key: string, { keys }: KeyContainer): string {
  if (key === '<<') return 'Write the keys out: YAML 1.2 has no merge key.';
  return `Remove it, or use one of: ${keys.join(', ')}.`;
}
