import { configSchema, roleSchema } from './config-schema.ts';
import { failureTypes } from '../types/basic/failure-types.ts';
import { promptForms, promptNames } from '../types/basic/prompt-sections.ts';
import { nearest } from '../text/nearest.ts';
import { executorMap, namedExecutorSchema } from '../executors/executor-schema.ts';
import { executorKinds } from '../executors/kinds.ts';
import { modelSchema, priceSchema, providerSchema } from '../llm/model-schema.ts';
import { gatesSchema, sandboxSchema } from './gates-schema.ts';
import { contextSchema, environmentWaitSchema, limitsSchema, loggingSchema, redactSchema } from './limits-schema.ts';
import { recoveryEntrySchema, retrySchema, rungSchema } from './ladder-schema.ts';
import type { PlanPath } from '../input/problem.ts';
import { quote, valueAt } from '../input/problem.ts';
import { planSchema, ruleSchema, subtaskSchema } from './plan-schema.ts';
import { approvalSchema, budgetSchema, planningSchema } from './settings-schema.ts';
import { verificationSchema, votingSchema } from './verification-schema.ts';

/** A kind of map in a plan: what people call it and which keys it has. */
interface Container {
  name: string;
  keys: readonly string[];
  /** A key that it does not have is not looked for elsewhere. */
  isClosed?: true;
}

const keysOf = (schema: { shape: object }): string[] => Object.keys(schema.shape);

/** `process` is known only to be refused, and programs write the others: nobody should be led to them. */
const planKeys = keysOf(planSchema).filter((key) => !['process', 'reuse', 'config', 'planOnly'].includes(key));

const ofPlans = {
  plan: { name: 'the plan', keys: planKeys },
  subtask: { name: 'a subtask', keys: keysOf(subtaskSchema) },
  approval: { name: '`approval`', keys: keysOf(approvalSchema) },
  budget: { name: '`budget`', keys: keysOf(budgetSchema) },
  planning: { name: '`planning`', keys: keysOf(planningSchema) },
  voting: { name: '`voting`', keys: keysOf(votingSchema) },
  rung: { name: 'a rung', keys: keysOf(rungSchema) },
  retry: { name: '`retry`', keys: keysOf(retrySchema) },
  rule: { name: 'a rule', keys: keysOf(ruleSchema) },
  recovery: { name: '`recovery`', keys: failureTypes },
  recoveryEntry: { name: 'a recovery override', keys: keysOf(recoveryEntrySchema) },
} as const satisfies Record<string, Container>;

const ofConfigs = {
  config: { name: 'the config', keys: keysOf(configSchema) },
  namedExecutor: { name: 'an executor', keys: keysOf(namedExecutorSchema) },
  provider: { name: 'a provider', keys: keysOf(providerSchema) },
  model: { name: 'a model', keys: keysOf(modelSchema) },
  price: { name: '`price`', keys: keysOf(priceSchema) },
  role: { name: 'a role', keys: keysOf(roleSchema) },
  sandbox: { name: '`sandbox`', keys: keysOf(sandboxSchema) },
  gates: { name: '`gates`', keys: keysOf(gatesSchema) },
  context: { name: '`context`', keys: keysOf(contextSchema) },
  verification: { name: '`verification`', keys: keysOf(verificationSchema) },
  limits: { name: '`limits`', keys: keysOf(limitsSchema) },
  environmentWait: { name: '`environmentWait`', keys: keysOf(environmentWaitSchema) },
  logging: { name: '`logging`', keys: keysOf(loggingSchema) },
  redact: { name: '`redact`', keys: keysOf(redactSchema) },
  starter: { name: '`config`', keys: ['environment', 'flags', 'userFile', 'trusted'] },
} as const satisfies Record<string, Container>;

const containers = { ...ofPlans, ...ofConfigs };

/** Programs write it too; its keys are common words that nobody else should be led by. */
const trusted: Container = { name: '`trusted`', keys: ['path', 'sha256'] };

/** Tables of the config whose entries people name. */
const ofEntries: ReadonlyMap<unknown, Container> = new Map<unknown, Container>([
  ['executors', containers.namedExecutor],
  ['providers', containers.provider],
  ['models', containers.model],
  ['roles', containers.role],
]);

/** Tables of `prompts`, by how deep a path leads into it. Its keys are common words: nobody else is led by them, nor to others from here. */
function promptTable(path: PlanPath): Container {
  const isClosed = true as const;
  const prompt = promptNames.find((name) => name === path[1]);
  if (prompt === undefined) return { name: '`prompts`', keys: promptNames, isClosed };
  if (path.length > 2) return { name: 'a section', keys: ['replace'], isClosed };
  return { name: `\`prompts.${prompt}\``, keys: promptForms[prompt].sections, isClosed };
}

/** In the order in which a misplaced key is looked for: whoever wrote a plan means a map of plans. */
const allContainers: readonly Container[] = [
  ...Object.values(ofPlans),
  ...Object.keys(executorKinds).map(executorMap),
  ...Object.values(ofConfigs),
];

/** What the value is that was checked. */
export type Document = 'plan' | 'config';

/** Which map a path leads to. Only paths that the schema descends into occur. */
function containerAt(path: PlanPath, plan: unknown, document: Document): Container {
  if (document === 'plan' && path[0] === 'config') {
    if (path.length === 1) return containers.starter;
    return path[1] === 'trusted' ? trusted : containerAt(path.slice(2), valueAt(plan, path.slice(0, 2)), 'config');
  }
  if (document === 'config' && path[0] === 'prompts') return promptTable(path);
  const entry = document === 'config' && path.length === 2 ? ofEntries.get(path[0]) : undefined;
  if (entry !== undefined) return entry;
  const names = path.filter((part) => typeof part === 'string');
  const last = names.at(-1);
  if (names.at(-2) === 'recovery') return containers.recoveryEntry;
  switch (last) {
    case undefined:
      return containers[document];
    case 'ladder':
      return containers.rung;
    case 'rules':
      return containers.rule;
    case 'sandbox':
    case 'gates':
    case 'context':
    case 'limits':
    case 'environmentWait':
    case 'logging':
    case 'redact':
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
  /** The key that was meant, when one is near. */
  meant: string | undefined;
}

/** An unknown key, the nearest valid one, or the map that does have it. */
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
      ? `${quote(key)} is not a failure type`
      : `${quote(key)} is not a key of ${container.name}`;
  // Whoever wrote a subtask's key one level too high meant that key, not one that looks like it.
  const isMisplaced = container === containers.plan && containers.subtask.keys.includes(key);
  const meant = suggest && !isMisplaced ? nearest(key, container.keys) : undefined;
  if (meant !== undefined) {
    return { message: `${what}; did you mean \`${meant}\`?`, hint: `Rename it to \`${meant}\`.`, meant };
  }
  // In a config, a key of the config itself is the likelier one.
  const places = document === 'config' ? [containers.config, ...allContainers] : allContainers;
  const home = container.isClosed ? undefined : places.find(({ keys }) => keys.includes(key));
  if (home !== undefined) {
    return { message: `${what}, but of ${home.name}.`, hint: `Move it to ${home.name}, or remove it.`, meant };
  }
  return { message: `${what}.`, hint: hintFor(key, container), meant };
}

function hintFor(key: string, { keys }: Container): string {
  if (key === '<<') return 'Write the keys out: YAML 1.2 has no merge key.';
  return `Remove it, or use one of: ${keys.join(', ')}.`;
}
