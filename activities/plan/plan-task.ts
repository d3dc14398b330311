import { Context } from '@temporalio/activity';
import { namesOf } from '../../domain/config/names-of.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import type { PlanTaskInput, PlanTaskOutcome } from '../../domain/model/planning.ts';
import { plannerTier, routeModel } from '../../domain/models/route-model.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { estimatePlan } from '../../domain/planning/estimate-plan.ts';
import { isPlainObject } from '../../domain/planning/plain-object.ts';
import { editedInput, isOfModel, wholeGoal, writtenPart, type PlanBrief } from '../../domain/planning/planned-input.ts';
import { plannerRequest, plannerValues } from '../../domain/planning/planner-prompt.ts';
import { planError } from '../../domain/source/problem.ts';
import { nothingUsed } from '../../domain/task/used.ts';
import { asFailure } from '../execute/as-failure.ts';
import { machineFailure } from '../execute/transient-failure.ts';
import type { Models } from '../models/model.ts';
import { draftPlan, type DraftedPlan } from '../prepare/draft-plan.ts';
import { checkFacts } from '../prepare/gate-checks.ts';
import { storePlan } from '../prepare/store-plan.ts';
import type { Variables } from '../programs/base-environment.ts';
import { redactorFor } from '../programs/redact-secrets.ts';
import { hideKnownSecrets } from '../redact/known-secrets.ts';
import { RequestLedger } from '../requests/request-ledger.ts';
import { RequestSpending } from '../requests/request-spending.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../store/system-error.ts';
import { systemPrompt } from '../system-prompt.ts';
import { PlannerTalk } from './ask-planner.ts';
import { listWorkspace } from './list-workspace.ts';
import { readPlan } from './read-plan.ts';

export interface PlanParts {
  store: Pick<Store, 'put' | 'get' | 'claim' | 'peek'>;
  /** Heddle's home. */
  root: string;
  env: Variables;
  models: Models;
}

/** The activity `planTask`: gives a task another plan, mostly of a model. It looks at names of files and changes nothing. */
export function createPlanTask(parts: PlanParts): (input: PlanTaskInput) => Promise<PlanTaskOutcome> {
  return async function planTask(input) {
    const { cancellationSignal: signal } = Context.current();
    try {
      const brief = JSON.parse((await parts.store.get(input.brief)).toString()) as PlanBrief;
      return await planBy(parts, input, brief);
    } catch (error) {
      signal.throwIfAborted();
      if (isSystemError(error)) throw machineFailure(`The goal could not be planned: ${error.message}`);
      throw asFailure(error);
    }
  };
}

function planBy(parts: PlanParts, input: PlanTaskInput, brief: PlanBrief): Promise<PlanTaskOutcome> {
  const { source } = input;
  switch (source.from) {
    case 'model':
      return plan(parts, input, brief);
    case 'goal':
      return take(parts, input, brief, wholeGoal(brief));
    case 'person': {
      const given = isPlainObject(source.plan) ? source.plan : {};
      const { input: edited, problems } = editedInput(brief, given);
      if (problems.length > 0) throw planError(problems);
      return take(parts, input, brief, edited);
    }
  }
}

/** A plan that no model made is refused as any other, all problems listed. What a model wrote into an earlier one still runs in the sandbox. */
async function take(
  parts: PlanParts,
  input: PlanTaskInput,
  brief: PlanBrief,
  raw: Record<string, unknown>,
): Promise<PlanTaskOutcome> {
  const { config } = brief;
  const parsed = parsePlan(raw, namesOf(config));
  if (!parsed.ok) throw planError(parsed.problems);
  const { workspace } = input;
  const gate = isOfModel(brief) ? { gate: await checkFacts(config, { workspace, root: parts.root }) } : {};
  const drafted = await draftPlan({ plan: parsed.plan, raw, config, workspace, env: parts.env, ...gate });
  return { ...(await stored(parts, input, drafted, brief)), used: nothingUsed, models: [] };
}

/** Of a task that came without subtasks a later one takes over the plan, unless there was none to be made. */
async function stored(
  { store }: PlanParts,
  { version, source }: PlanTaskInput,
  { parts: { subtasks }, drafts, raw }: DraftedPlan,
  brief: PlanBrief,
): Promise<Pick<PlanTaskOutcome & { kind: 'planned' }, 'kind' | 'plan' | 'shown'>> {
  const packed = await storePlan(store, subtasks, drafts, version);
  const part = writtenPart(raw);
  const isKept = isOfModel(brief) && source.from !== 'goal';
  const plan = isKept ? { ...packed, written: await store.put(JSON.stringify(part)) } : packed;
  const { executor, subtasks: written } = part;
  const shown = {
    ...(executor === undefined ? {} : { executor }),
    subtasks: Array.isArray(written) ? written : [],
    estimate: estimatePlan(subtasks, brief.config.models),
  };
  return { kind: 'planned', plan, shown };
}

async function plan(parts: PlanParts, input: PlanTaskInput, brief: PlanBrief): Promise<PlanTaskOutcome> {
  const { cancellationSignal: signal } = Context.current();
  const { store, root, env } = parts;
  const { taskId: task, workspace, round, tries, wishes } = input;
  const { models, values } = brief.config;
  const model = routeModel(models, { role: 'planner', tier: plannerTier });
  if (model === undefined)
    throw new HeddleError({ code: 'MODEL_NOT_FOUND', message: 'No model serves the role `planner`' });
  const keys = models.flatMap(({ provider: { keyEnv } }) => (keyEnv === undefined ? [] : [keyEnv]));
  const redactor = redactorFor(env, keys, values.redact?.harmless);
  const hide = (text: string): string => hideKnownSecrets(redactor.text(text));
  // The ledger knows what all rounds spent.
  const spending = new RequestSpending('planner', { used: nothingUsed, models: [] }, input);
  const listing = await listWorkspace(workspace, signal);
  const view = {
    goal: hide(String(brief.raw['goal'])),
    ...listing,
    files: listing.files.map(hide),
    wishes: wishes.map(hide),
  };
  const talk = new PlannerTalk({
    ...{ task, model, spending, round, tries, signal, hide },
    system: hide(systemPrompt('planner', plannerValues, values.prompts)),
    calls: parts.models,
    ledger: new RequestLedger(store, { task, who: 'planner', stem: [input.chain] }),
    show: (room) => plannerRequest(view, room),
    read: (text) => readPlan(text, brief, { workspace, root, env }),
  });
  const made = await talk.ask();
  const spent = { used: spending.used, models: spending.models };
  if ('problems' in made) return { kind: 'not-made', problems: made.problems, ...spent };
  return { ...(await stored(parts, input, made.plan, brief)), ...spent };
}
