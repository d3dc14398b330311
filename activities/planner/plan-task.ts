import { Context } from '@temporalio/activity';
import { buildKnownNames } from '../../domain/config/known-names.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { SpentBefore } from '../../domain/types/judgement.ts';
import type { PlanSoFar } from '../../domain/types/plan.ts';
import type { PlanTaskInput, PlanTaskOutcome } from '../../domain/types/planner.ts';
import { plannerTier, routeModel } from '../../domain/llm/route-model.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { estimatePlan } from '../../domain/planner/estimate-plan.ts';
import { isPlainObject } from '../../domain/planner/plain-object.ts';
import {
  editedInput,
  isPlannedByModel,
  wholeGoal,
  writtenPart,
  type PlanBrief,
} from '../../domain/planner/planner-input.ts';
import { fitProjectNotes } from '../../domain/prompts/project-notes.ts';
import { plannerRequest, plannerValues, type PlannerView } from '../../domain/planner/planner-prompt.ts';
import { replannerRequest, replannerValues } from '../../domain/planner/replanner-prompt.ts';
import { formatWrittenPlan, rewriteVersion, sentPlan, type WrittenPlan } from '../../domain/planner/written-plan.ts';
import { planError } from '../../domain/input/problem.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { isCancelled } from '../temporal/cancellation.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import { noteProgress } from '../temporal/with-heartbeat.ts';
import type { Models } from '../llm/ports/model.ts';
import { draftPlan, listGoalChecks, type DraftedPlan } from '../prepare/draft-plan.ts';
import { checkFacts } from '../prepare/gate-checks.ts';
import { loadWrittenPlan } from '../prepare/first-plan.ts';
import { storePlan } from '../prepare/store-plan.ts';
import type { Secrets } from '../redact/secrets.ts';
import type { Ref } from '../../domain/types/basic/ref.ts';
import { formatExchange, type ExchangeText } from '../llm/requests/format-exchange.ts';
import { RequestLedger } from '../llm/requests/request-ledger.ts';
import { RequestSpending } from '../llm/requests/request-spending.ts';
import type { Store } from '../store/store.ts';
import { isSystemError } from '../system/system-error.ts';
import { systemPrompt } from '../prompts/system-prompt.ts';
import { recallLessons } from '../memory/recall-lessons.ts';
import { loadNotes } from '../pages/load-notes.ts';
import { loadDefinitions } from '../pages/plan-pages.ts';
import { PlannerTalk, type NoPlan, type PlannerTalkParts } from './ask-planner.ts';
import { createRedact } from './redact-input.ts';
import { listWorkspace } from './list-workspace.ts';
import { readPlan } from './read-plan.ts';
import { readReplan } from './read-replan.ts';

export interface PlanParts {
  store: Pick<Store, 'put' | 'get' | 'claim' | 'peek'>;
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
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
      throw toFailure(error);
    }
  };
}

function planBy(parts: PlanParts, input: PlanTaskInput, brief: PlanBrief): Promise<PlanTaskOutcome> {
  const { source } = input;
  switch (source.from) {
    case 'model':
      return plan(parts, input, brief);
    case 'replan':
      return replan(parts, input, brief, source.have);
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
  const { config, projectTest } = brief;
  const parsed = parsePlan(raw, buildKnownNames(config));
  if (!parsed.ok) throw planError(parsed.problems);
  const { workspace } = input;
  const gate = isPlannedByModel(brief)
    ? { gate: await checkFacts(config, { workspace, root: parts.root, env: parts.secrets.environment }) }
    : {};
  const { root, secrets } = parts;
  const ground = { plan: parsed.plan, raw, config, workspace, root, secrets, projectTest };
  const written = input.source.from === 'goal' ? { ofModel: 'all' as const } : {};
  const drafted = await draftPlan({ ...ground, ...gate, ...written });
  return { ...(await stored(parts, input, drafted, brief)), used: nothingUsed, models: [] };
}

/** A retry takes over the plan that is stored here; where none could be made of a goal, it makes another. */
async function stored(
  { store }: PlanParts,
  { version, source }: PlanTaskInput,
  { parts: { subtasks }, drafts, raw }: DraftedPlan,
  brief: PlanBrief,
): Promise<Pick<PlanTaskOutcome & { kind: 'planned' }, 'kind' | 'plan' | 'shown'>> {
  const packed = await storePlan(store, subtasks, drafts, version);
  const part = writtenPart(raw);
  const given = source.from === 'person' ? { byPerson: true as const } : {};
  const written = formatWrittenPlan({ part, byModel: [], ...given });
  const plan = source.from === 'goal' ? packed : { ...packed, written: await store.put(written) };
  const { executor, subtasks: entries } = part;
  const shown = {
    ...(executor === undefined ? {} : { executor }),
    subtasks: Array.isArray(entries) ? entries : [],
    estimate: estimatePlan(subtasks, brief.config.models),
  };
  return { kind: 'planned', plan, shown };
}

/** A new plan of a goal. */
async function plan(parts: PlanParts, input: PlanTaskInput, brief: PlanBrief): Promise<PlanTaskOutcome> {
  const { workspace, feedback } = input;
  const { root, secrets } = parts;
  const { made, spent, texts } = await talk(parts, input, brief, ({ redact, ...view }) => ({
    system: redact(systemPrompt('planner', plannerValues, brief.config.values.prompts)),
    show: (room) => plannerRequest({ ...view, comments: feedback.map(redact) }, room),
    read: (text) => readPlan(text, brief, { workspace, root, secrets }),
  }));
  if ('problems' in made) return { kind: 'not-made', ...made, ...spent };
  const planned = await stored(parts, input, made.plan, brief);
  const transcript = await keepTranscript(parts, input, brief, texts);
  return { ...planned, plan: { ...planned.plan, transcript }, ...spent };
}

/** The plan that runs, changed. */
async function replan(
  parts: PlanParts,
  input: PlanTaskInput,
  brief: PlanBrief,
  have: PlanSoFar,
): Promise<PlanTaskOutcome> {
  const { workspace, version } = input;
  const { store, root, secrets } = parts;
  const before = await loadDefinitions(store, have.pages);
  const { made, spent, texts } = await talk(parts, input, brief, ({ redact, ...view }) => ({
    system: redact(systemPrompt('replanner', replannerValues, brief.config.values.prompts)),
    show: (room) => redact(replannerRequest({ ...view, before, have }, room)),
    read: (text) => readReplan(text, { before, have }, brief, { workspace, root, secrets }),
  }));
  if ('problems' in made) return { kind: 'not-made', ...made, ...spent };
  const { subtasks, drafts, changes } = made.plan;
  const packed = await storePlan(store, subtasks, drafts, version);
  const { superseded } = changes;
  const earlier = await earlierVersion(store, brief, have);
  const written = formatWrittenPlan(rewriteVersion({ earlier, before, subtasks, have, superseded }));
  const kept = { written: await store.put(written), transcript: await keepTranscript(parts, input, brief, texts) };
  return { kind: 'replanned', plan: { ...packed, ...kept }, changes, ...spent };
}

/** People read what the model was told, and why an answer of it was no plan. */
function keepTranscript(
  { store, secrets }: PlanParts,
  { version }: PlanTaskInput,
  { config }: PlanBrief,
  texts: readonly ExchangeText[],
): Promise<Ref> {
  const redact = createRedact(secrets, config);
  return store.put(redact(formatExchange(`Version ${version} of the plan`, texts)));
}

/** The plan as it was written last, by a person or a model. */
function earlierVersion(store: PlanParts['store'], { raw }: PlanBrief, { written }: PlanSoFar): Promise<WrittenPlan> {
  return written === undefined ? Promise.resolve(sentPlan(raw)) : loadWrittenPlan(written, store);
}

/** The view that every model that plans has: no secrets, and names of files alone. */
interface View extends Pick<PlannerView, 'goal' | 'files' | 'isCut' | 'endChecks' | 'notes' | 'lessons'> {
  redact: (text: string) => string;
}

/** A planner sees the whole goal, so it is shown more lessons than an attempt. */
async function recallForGoal(store: PlanParts['store'], { lessons }: PlanTaskInput, goal: string): Promise<string[]> {
  const most = (lessons?.recall ?? 0) * limits.lessons.plannerFactor;
  return (await recallLessons(store, lessons, { text: goal, most })).map(({ text }) => text);
}

/** Asks a model until it gives a plan, or has used up its tries. */
async function talk<Plan>(
  parts: PlanParts,
  input: PlanTaskInput,
  brief: PlanBrief,
  about: (view: View) => Pick<PlannerTalkParts<Plan>, 'system' | 'show' | 'read'>,
): Promise<{ made: { plan: Plan } | NoPlan; spent: SpentBefore; texts: ExchangeText[] }> {
  const { cancellationSignal: signal } = Context.current();
  const { store, secrets } = parts;
  const { taskId: task, workspace, round, tries, grant } = input;
  const model = routeModel(brief.config.models, { role: 'planner', tier: plannerTier });
  if (model === undefined)
    throw new HeddleError({ code: 'MODEL_NOT_FOUND', message: 'No model serves the role `planner`' });
  const redact = createRedact(secrets, brief.config);
  // The ledger knows what all rounds spent.
  const spending = new RequestSpending('planner', { used: nothingUsed, models: [] }, { grant });
  const { files, isCut } = await listWorkspace(workspace, signal);
  const endChecks = { commands: listGoalChecks(brief.raw).map(redact), projectTest: brief.projectTest };
  const frozen = await loadNotes(store, brief.config.projectNotes);
  const notes = frozen === undefined ? undefined : redact(fitProjectNotes(frozen, model.context));
  const goal = redact(String(brief.raw['goal']));
  const lessons = await recallForGoal(store, input, goal);
  const conversation = new PlannerTalk({
    ...{ task, model, spending, round, tries, signal, redact, note: noteProgress },
    calls: parts.models,
    ledger: new RequestLedger(store, { task, who: 'planner', stem: [input.chain] }),
    ...about({ goal, files: files.map(redact), isCut, endChecks, notes, lessons, redact }),
  });
  const made = await conversation.ask().catch((error: unknown) => {
    if (!isCancelled()) throw error;
    return { problems: ['It was stopped.'] };
  });
  return { made, spent: { used: spending.used, models: spending.models }, texts: conversation.listTexts() };
}
