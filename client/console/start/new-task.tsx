import { useEffect, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { hrefOf, navigate, query } from '../core/router.ts';
import { mayOperate } from '../core/session.ts';
import { useKeys } from '../core/keys.ts';
import { Failure } from '../parts/failure.tsx';
import { Key } from '../parts/tag.tsx';
import { Readiness } from './readiness.tsx';
import { Problems } from '../plan/problems.tsx';
import { usePlanCheck } from '../plan/use-check.ts';
import { examplePlan, planTemplate } from './plan-template.ts';
import { recentWorkspaces, rememberWorkspace } from './workspaces.ts';

interface Fields {
  goal: string;
  plan: string;
  workspace: string;
  project: string;
  planFirst: boolean;
  budgetUsd: string;
}

/** Stands for a folder until a person has named one. */
const someFolder = '/path/to/your/folder';

function firstFields(isExample: boolean): Fields {
  const workspace = recentWorkspaces()[0] ?? '';
  const plan = (isExample ? examplePlan : planTemplate)(workspace === '' ? someFolder : workspace);
  return { goal: '', plan, workspace, project: '', planFirst: true, budgetUsd: '' };
}

/** The start of a task: a goal in words, which a model plans, or a plan. */
export function NewTask() {
  const isExample = query.value.has('example');
  const [byPlan, setByPlan] = useState(isExample);
  const [fields, setFields] = useState<Fields>(() => firstFields(isExample));
  const change = (part: Partial<Fields>): void => setFields((before) => ({ ...before, ...part }));
  const plan = byPlan ? fields.plan : buildGoal(fields);
  const { problems } = usePlanCheck(useSame(plan), ready(byPlan, fields));
  const { start, starting, error } = useStart(plan, fields.workspace, ready(byPlan, fields));
  useKeys({ 'ctrl+Enter': start });
  if (!mayOperate.value)
    return (
      <div class="view">
        <h1 class="page-title">New task</h1>
        <p>Only an operator may start tasks: they run programs on this machine.</p>
      </div>
    );
  return (
    <div class="view middle-view">
      <h1 class="page-title">New task</h1>
      <StartBy byPlan={byPlan} onChange={setByPlan} />
      <form
        class="sheet card"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <div class="body">
          {byPlan ? <PlanField fields={fields} onChange={change} /> : <GoalFields fields={fields} onChange={change} />}
          {problems === null || problems.length === 0 ? null : <Problems problems={problems} />}
          <Failure error={error} />
          <Readiness
            byPlan={byPlan}
            workspace={fields.workspace.trim()}
            checked={problems !== null && problems.length === 0}
          />
        </div>
        <footer>
          <button
            class="button first"
            type="submit"
            disabled={starting || !ready(byPlan, fields) || (problems?.length ?? 0) > 0}
          >
            {starting
              ? 'Starting…'
              : byPlan
                ? 'Start'
                : fields.planFirst
                  ? 'Plan it, and show me'
                  : 'Plan it and start'}{' '}
            <Key name="Ctrl ⏎" />
          </button>
        </footer>
      </form>
    </div>
  );
}

/** Starts the task once, and opens its page. */
function useStart(
  plan: unknown,
  workspace: string,
  isReady: boolean,
): { start: () => void; starting: boolean; error: unknown } {
  const [error, setError] = useState<unknown>();
  const [starting, setStarting] = useState(false);
  const run = async (): Promise<void> => {
    // The same key for the same press: a request that is sent again starts no second task.
    const headers = { 'idempotency-key': crypto.randomUUID(), prefer: 'wait=3' };
    const { taskId } = await post<{ taskId: string }>('/tasks', { plan }, headers);
    rememberWorkspace(workspace);
    navigate(hrefOf.task(taskId));
  };
  const start = (): void => {
    if (starting || !isReady) return;
    setStarting(true);
    setError(undefined);
    run().catch((caught: unknown) => {
      setError(caught);
      setStarting(false);
    });
  };
  return { start, starting, error };
}

function StartBy({ byPlan, onChange }: { byPlan: boolean; onChange: (byPlan: boolean) => void }) {
  return (
    <div class="chips" role="group" aria-label="Start by">
      <button class="chip" type="button" aria-pressed={!byPlan} onClick={() => onChange(false)}>
        A goal in words
      </button>
      <button class="chip" type="button" aria-pressed={byPlan} onClick={() => onChange(true)}>
        A plan
      </button>
    </div>
  );
}

const ready = (byPlan: boolean, { goal, plan, workspace }: Fields): boolean =>
  byPlan ? plan.trim() !== '' : goal.trim() !== '' && workspace.trim() !== '';

function buildGoal({ goal, workspace, project, planFirst, budgetUsd }: Fields): Record<string, unknown> {
  const cost = Number(budgetUsd);
  return {
    goal: goal.trim(),
    workspace: workspace.trim(),
    ...(project.trim() === '' ? {} : { project: project.trim() }),
    ...(planFirst ? { planApproval: true } : {}),
    ...(budgetUsd.trim() === '' || !Number.isFinite(cost) ? {} : { budget: { costUsd: cost } }),
  };
}

/** The same value as long as its text is the same, so that it is checked once. */
function useSame<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  const changed = JSON.stringify(kept) !== JSON.stringify(value);
  useEffect(() => {
    if (changed) setKept(value);
  }, [changed]);
  return kept;
}

interface FieldsOf {
  fields: Fields;
  onChange: (part: Partial<Fields>) => void;
}

function GoalFields({ fields, onChange }: FieldsOf) {
  return (
    <>
      <label class="stack">
        <span class="label">Goal</span>
        <textarea
          class="words people"
          rows={4}
          required
          autofocus
          placeholder="What should be true when it is done?"
          value={fields.goal}
          onInput={(event) => onChange({ goal: event.currentTarget.value })}
        />
      </label>
      <div class="grid">
        <label class="stack">
          <span class="label">Folder</span>
          <input
            class="field mono"
            list="workspaces"
            required
            placeholder="/home/you/project"
            value={fields.workspace}
            onInput={(event) => onChange({ workspace: event.currentTarget.value })}
          />
          <datalist id="workspaces">
            {recentWorkspaces().map((folder) => (
              <option value={folder} />
            ))}
          </datalist>
        </label>
        <label class="stack">
          <span class="label">Project (optional)</span>
          <input
            class="field"
            value={fields.project}
            onInput={(event) => onChange({ project: event.currentTarget.value })}
          />
        </label>
        <label class="stack">
          <span class="label">At most, in USD (optional)</span>
          <input
            class="field"
            inputMode="decimal"
            pattern="[0-9]*[.]?[0-9]*"
            value={fields.budgetUsd}
            onInput={(event) => onChange({ budgetUsd: event.currentTarget.value })}
          />
        </label>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.planFirst}
          onChange={(event) => onChange({ planFirst: event.currentTarget.checked })}
        />
        show me the plan first
      </label>
    </>
  );
}

function PlanField({ fields, onChange }: FieldsOf) {
  return (
    <label class="stack">
      <span class="label">Plan, as YAML or JSON</span>
      <textarea
        class="words mono"
        rows={18}
        spellcheck={false}
        value={fields.plan}
        onInput={(event) => onChange({ plan: event.currentTarget.value })}
      />
    </label>
  );
}
