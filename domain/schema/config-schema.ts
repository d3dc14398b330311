import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { executorChoiceSchema, namedExecutorSchema } from '../executors/executor-schema.ts';
import { ladderSchema, recoverySchema, retrySchema } from './ladder-schema.ts';
import { modelSchema, providerSchema } from '../llm/model-schema.ts';
import { gatesSchema, sandboxSchema, webSchema } from './gates-schema.ts';
import { memorySchema } from './memory-schema.ts';
import { promptsSchema } from './prompts-schema.ts';
import { contextSchema, limitsSchema, loggingSchema, redactSchema } from './limits-schema.ts';
import {
  approvalChoiceSchema,
  budgetSchema,
  contractCheckSchema,
  planningSchema,
  remediationSchema,
} from './settings-schema.ts';
import { duration, list, map, name, text, tier, wholeNumber, yesNo } from '../input/values.ts';
import { codecSchema } from './codec-schema.ts';
import { serverSchema } from './server-schema.ts';
import { mcpServerSchema, ownToolsSchema, serverName, serverNameForm } from './tools-schema.ts';
import { verificationSchema } from './verification-schema.ts';

/* `heddle.toml`, and the same keys in the environment and in flags. Values are those of the plan; unknown keys are errors. */

/** Names are keys of tables and parts of variables, so they have no dots or spaces. */
const entryName = z.string().regex(/^[\p{L}\p{Nd}_-]+$/u);

/** Among equal models the first one serves, and JavaScript puts numeric names before all others. */
const orderedName = entryName.regex(/\D/);

const entries = <T extends z.ZodType>(entry: T, what: string, names = entryName) =>
  z.record(names, entry, {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `a table whose name is made of ${names === serverName ? serverNameForm : 'letters, digits, `_` or `-`'}${names === orderedName ? ', not of digits alone' : ''}`
        : `a table of ${what}`,
  });

export const roleSchema = map(
  {
    persona: text()
      .max(planLimits.persona, { error: `a string of at most ${planLimits.persona} characters` })
      .exactOptional(),
    executor: name('the name of an executor').exactOptional(),
    tier: tier.exactOptional(),
    recovery: recoverySchema.exactOptional(),
  },
  'a table with `persona`, `executor`, `tier` or `recovery`',
);

/** `[processes]` names more folders with processes. */
export const processesSchema = map(
  { paths: list(text('the path of a folder'), 'a list of paths').exactOptional() },
  'a table with `paths`',
);

export const configSchema = map(
  {
    project: name('the name of a project').exactOptional(),
    approval: approvalChoiceSchema.exactOptional(),
    planApproval: yesNo.exactOptional(),
    planning: planningSchema.exactOptional(),
    maxParallelSubtasks: wholeNumber(1, planLimits.parallelSubtasks).exactOptional(),
    maxAttempts: wholeNumber(1, planLimits.attempts).exactOptional(),
    escalationPause: wholeNumber(1, planLimits.escalationPause).exactOptional(),
    contractCheck: contractCheckSchema.exactOptional(),
    commandTimeout: duration(planLimits.timeout).exactOptional(),
    verifyTimeout: duration(planLimits.timeout).exactOptional(),
    budget: budgetSchema.exactOptional(),
    retry: retrySchema.exactOptional(),
    ladder: ladderSchema.exactOptional(),
    recovery: recoverySchema.exactOptional(),
    remediation: remediationSchema.exactOptional(),
    executor: executorChoiceSchema.exactOptional(),
    executors: entries(namedExecutorSchema, 'executors by name').exactOptional(),
    roles: entries(roleSchema, 'roles by name').exactOptional(),
    providers: entries(providerSchema, 'providers by name', orderedName).exactOptional(),
    models: entries(modelSchema, 'models by name', orderedName).exactOptional(),
    sandbox: sandboxSchema.exactOptional(),
    gates: gatesSchema.exactOptional(),
    web: webSchema.exactOptional(),
    context: contextSchema.exactOptional(),
    prompts: promptsSchema.exactOptional(),
    memory: memorySchema.exactOptional(),
    verification: verificationSchema.exactOptional(),
    taskQueue: name('the name of a task queue').exactOptional(),
    host: name('the name of a host').exactOptional(),
    idle: duration(planLimits.timeout).exactOptional(),
    limits: limitsSchema.exactOptional(),
    logging: loggingSchema.exactOptional(),
    redact: redactSchema.exactOptional(),
    processes: processesSchema.exactOptional(),
    server: serverSchema.exactOptional(),
    mcp: entries(mcpServerSchema, 'servers by name', serverName).exactOptional(),
    tools: ownToolsSchema.exactOptional(),
    codec: codecSchema.exactOptional(),
  },
  'a table of settings',
);

/** One layer, or several merged: durations in milliseconds, without defaults. */
export type Config = z.output<typeof configSchema>;
export type ConfigName = keyof typeof configSchema.shape;
