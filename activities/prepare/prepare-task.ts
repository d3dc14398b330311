import { Context, log } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { hasCheck } from '../../domain/checks/has-check.ts';
import { defaultTaskLimits } from '../../domain/limits/task-limits.ts';
import { hasKnownCost } from '../../domain/llm/price.ts';
import { answersAt } from '../../domain/memory/learned.ts';
import type { ProjectTest } from '../../domain/types/planner.ts';
import type { FrozenConfig } from '../../domain/config/layers.ts';
import { buildKnownNames } from '../../domain/config/known-names.ts';
import type { ProjectMemory } from '../../domain/types/basic/memory.ts';
import type { PackedPlan } from '../../domain/types/plan.ts';
import type { PlanningRules } from '../../domain/types/planner.ts';
import type { Prepared, TaskSettings } from '../../domain/types/task-settings.ts';
import type { Subtask } from '../../domain/types/subtask.ts';
import { buildWorkflowId } from '../../domain/names/names.ts';
import { packPlan } from '../../domain/plan/pack-plan.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { planOnlyOfGoals, type PlanBrief } from '../../domain/planner/planner-input.ts';
import { planError } from '../../domain/input/problem.ts';
import { inheritArtifacts } from '../artifacts/manifest-file.ts';
import { isTrustedFolder } from '../config/trusted-folder.ts';
import type { PublicEnvironment, Secrets } from '../redact/secrets.ts';
import type { Store } from '../store/store.ts';
import { toFailure } from '../temporal/failure.ts';
import { checkReuse } from './check-reuse.ts';
import { findProjectTest } from './find-project-test.ts';
import { freezeLessons } from './freeze-lessons.ts';
import { freezeProcess, previewPlan, resolvePlan } from './resolve-plan.ts';
import { freezeNotes } from './freeze-notes.ts';
import { findWorkspace } from '../files/find-workspace.ts';
import { leasesFile, rootOfStore } from '../home/home-layout.ts';
import { isTaskOpen } from './is-task-open.ts';
import { draftPlan } from './draft-plan.ts';
import { checkFacts } from './gate-checks.ts';
import { buildBrief, goalPlan, newestPlan } from './first-plan.ts';
import { prepareTrouble } from './prepare-trouble.ts';
import { checkPrepared, storePlan } from './store-plan.ts';
import { takeLease, type LeaseServer } from './workspace-lease.ts';

export interface PrepareParts {
  /** The name of this worker's host, and the queue of the activities that need its files. */
  host: string;
  hostQueue: () => Promise<string>;
  secrets: Secrets;
  /** The server and the namespace that this worker serves. */
  server: () => Promise<LeaseServer>;
  /** The names of our search attributes that the server has with the right type. */
  searchAttributes: () => Promise<string[]>;
  /** Bounded: a part of what `prepareTask` returns. */
  readMemory: (project: string) => Promise<ProjectMemory>;
  /** The folder of the file store; leases, what is trusted and what runs leave their traces beside it. */
  storeFolder: string;
}

/** The store that takes the plan and has finished work. */
type PlanStore = Pick<Store, 'put' | 'get'>;

export interface PrepareInput {
  taskId: string;
  plan: unknown;
}

/** The activity `prepareTask`: completes the input of any starter, checks that it can run here, and freezes it. */
export function createPrepareTask(parts: PrepareParts, store: PlanStore) {
  return async function prepareTask(input: PrepareInput): Promise<Prepared> {
    try {
      return await prepare(parts, store, input);
    } catch (error) {
      throw toFailure(error, prepareTrouble);
    }
  };
}

async function prepare(parts: PrepareParts, store: PlanStore, input: PrepareInput): Promise<Prepared> {
  const { secrets } = parts;
  const env = secrets.environment;
  const root = rootOfStore(parts.storeFolder);
  const parsed = parsePlan(input.plan, 'later');
  if (!parsed.ok) throw planError(parsed.problems);
  const workspace = await findWorkspace(parsed.plan.workspace ?? process.cwd());
  const given = await resolvePlan(input.plan, parsed.plan, { secrets, workspace, root });
  const { plan, raw, resolved, followed } = given;
  const frozen = await freezeNotes(raw, resolved, { env, workspace, root, secrets, store });
  const config: FrozenConfig = { ...resolved, ...frozen };
  const { reuse, planOnly } = plan;
  if (planOnly === true && plan.subtasks.length > 0 && followed === undefined) throw planError([planOnlyOfGoals]);
  // A goal alone, where a model plans.
  const { plans } = buildKnownNames(config);
  const isGoal = plan.subtasks.length === 0 && plans;
  const made = isGoal || plan.subtasks.length > 0 ? reuse?.plan : undefined;
  const seesTest = isGoal && followed === undefined && (plan.verify ?? []).length === 0;
  const projectTest = seesTest ? await resolveProjectTest(input.plan, { env, workspace, root }) : undefined;
  const brief = buildBrief(raw, config, projectTest);
  const none = new Set<string>();
  const sent = isGoal ? goalPlan(brief) : { plan, raw: brief.raw, gated: none, ofModel: none };
  const first = made === undefined ? sent : await newestPlan(brief, made, store);
  const isGated = first.gated === 'all' || first.gated.size > 0;
  const gate = isGated ? { gate: await checkFacts(config, { workspace, root, env }) } : {};
  const drafted = await draftPlan({ ...first, config, workspace, root, secrets, isGoal, projectTest, ...gate });
  const { parts: whole, drafts, warnings } = drafted;
  const { shareWorkspace, subtasks, reuse: _, planning, ...said } = whole;
  const mayReplan = plans && followed?.view.mode !== 'strict';
  for (const warning of warnings) log.warn(warning);
  if (reuse !== undefined)
    await checkReuse(reuse, subtasks, { store, workspace, snapshots: { root, environment: env } });
  const workflowId = Context.current().info.workflowExecution?.workflowId ?? buildWorkflowId(input.taskId);
  const server = await parts.server();
  const lease = {
    taskId: input.taskId,
    server,
    workflowId,
    workspace,
    share: shareWorkspace || planOnly === true,
  };
  await takeLease(leasesFile(root), lease, isTaskOpen);
  if (reuse !== undefined) await inheritArtifacts(root, { from: reuse.task, to: input.taskId });
  const project = said.project ?? defaultProject(workspace);
  const settings: TaskSettings = {
    ...said,
    id: input.taskId,
    workspace,
    project,
    ...(await loadMemory(parts, { project, workspace, config, store })),
    host: parts.host,
    hostQueue: await parts.hostQueue(),
    ...(isGoal
      ? { planning: { ...planning, ...degradedChecks(subtasks, projectTest) }, ...limitGoal(said, config) }
      : {}),
    ...(config.models.filter(({ roles }) => roles.includes('executor')).length === 1 ? { oneModel: true } : {}),
    ...(mayReplan ? { planner: { tries: planning.tries } } : {}),
    ...(mayReplan || said.planApproval ? { brief: await store.put(JSON.stringify(brief)) } : {}),
    ...(followed === undefined ? {} : await freezeProcess(followed, planning, store)),
    searchAttributes: await parts.searchAttributes(),
  };
  if (isGoal && made === undefined) return checkPrepared({ settings, plan: noPlan, reuse: null });
  const stored = await storePlan(store, subtasks, drafts);
  const kept = made === undefined ? stored : { ...stored, written: made };
  const preview = planOnly === true ? { preview: previewPlan(raw, subtasks, config) } : {};
  return checkPrepared({ settings, plan: kept, reuse: reuse ?? null, ...preview });
}

/** A goal that sets no limit on its cost has the default one. Prices that are missing are no reason to refuse it: it is said which ones. */
function limitGoal(
  { budget, limits }: Pick<TaskSettings, 'budget' | 'limits'>,
  { models }: Pick<PlanBrief['config'], 'models'>,
): Pick<TaskSettings, 'goalLimit'> {
  if (budget.costUsd !== undefined) return {};
  const { goalCostUsd: costUsd } = { ...defaultTaskLimits, ...limits };
  return { goalLimit: { costUsd, unpriced: models.filter((model) => !hasKnownCost(model)).map(({ name }) => name) } };
}

/** How the project tests itself. A folder that nobody trusts may call anything its tests: then a person is asked before they run. */
async function resolveProjectTest(
  plan: unknown,
  place: { env: PublicEnvironment; workspace: string; root: string },
): Promise<ProjectTest | undefined> {
  const test = await findProjectTest(place.workspace, place.env['PATH']);
  if (test === undefined || (await isTrustedFolder(plan, place))) return test;
  return { ...test, asksFirst: true };
}

/** The facts about the goal as one subtask, for the case that no plan is made. */
function degradedChecks(
  subtasks: readonly Subtask[],
  projectTest: ProjectTest | undefined,
): Pick<PlanningRules, 'isChecked' | 'projectTest'> {
  const test = projectTest === undefined ? {} : { projectTest };
  return { ...test, ...(subtasks.some(isCheckedAlone) ? { isChecked: true } : {}) };
}

/** A judge that the task asks for reads the goal itself. */
const isCheckedAlone = (subtask: Subtask): boolean => hasCheck(subtask) || subtask.verification !== undefined;

const noPlan: PackedPlan = packPlan({ version: 1, rows: [], pages: [], definitions: null });

/** Loads the memory of the project, bounded; no key when it is empty. */
async function loadMemory(
  { readMemory }: PrepareParts,
  { project, workspace, config, store }: { project: string; workspace: string; config: FrozenConfig; store: PlanStore },
): Promise<Pick<TaskSettings, 'memory' | 'lessons'>> {
  const { signatures, answers: all, lessons } = await readMemory(project);
  const answers = answersAt(all, workspace);
  return {
    ...(signatures.length === 0 && answers.length === 0 ? {} : { memory: { signatures, answers } }),
    ...(await freezeLessons(lessons, config, store)),
  };
}

/** Memory is shared inside a project: the folder's name, and a hash so that two folders of one name stay apart. */
export function defaultProject(workspace: string): string {
  return `${basename(workspace)}-${createHash('sha256').update(workspace).digest('hex').slice(0, 8)}`;
}
