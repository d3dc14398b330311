import { at, get } from '../api/call.ts';
import type { PlannedSubtask } from '../api/wire.ts';
import { hrefOf, hrefWith, query, navigate } from '../core/router.ts';
import type { TaskFeed } from '../live/task-feed.ts';
import { Failure } from '../parts/failure.tsx';
import { signOf } from '../parts/state.ts';
import { StateTag } from '../parts/tag.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { namedChecks } from '../plan/checks.ts';
import { PlanGraph, PlanSteps, type GraphNode } from '../plan/plan-graph.tsx';

/** A graph of more boxes than this is no help; the list is. */
const mostBoxes = 120;

/** The plan as graph and list, with where each subtask is. */
export function PlanTab({ feed }: { feed: TaskFeed }) {
  const version = feed.head.value?.planVersion ?? 0;
  const { value, error } = useLoaded(
    (signal) => get<{ subtasks: PlannedSubtask[] }>(`/tasks${at(feed.id)}/plan`, signal),
    [version],
  );
  const chosen = query.value.get('subtask');
  const choose = (id: string): void => navigate(hrefWith({ subtask: id }));
  const nodes: GraphNode[] = feed.subtasks.value.map(({ id, dependsOn, state, tier }) => {
    const { tone, word } = signOf(state);
    return { id, dependsOn, note: `${word}, tier ${tier}`, tone };
  });
  if (nodes.length === 0) return <p class="quiet">There is no plan yet.</p>;
  const row = feed.rows.value.get(chosen ?? '');
  return (
    <section class="panel sheet">
      <h2>
        Plan {version}{' '}
        <small>
          <a href={`/api/v1/tasks${at(feed.id)}/plan?form=file`} target="_blank" rel="noreferrer">
            as text
          </a>
        </small>
      </h2>
      {nodes.length <= mostBoxes ? <PlanGraph nodes={nodes} chosen={chosen} onChoose={choose} /> : null}
      <div class={nodes.length <= mostBoxes ? '' : 'shows-steps'}>
        <PlanSteps nodes={nodes} chosen={chosen} onChoose={choose} />
      </div>
      <Failure error={error} />
      {chosen === null || row === undefined ? (
        <p class="small quiet">Choose a subtask to read what it is to do.</p>
      ) : (
        <div class="chosen">
          <h3>
            {chosen} <StateTag state={row.state} />
          </h3>
          {row.reason === null ? null : <p class="small">{row.reason}</p>}
          <Definition subtask={value?.subtasks.find(({ id }) => id === chosen)} />
          <a href={hrefOf.attempt(feed.id, chosen)}>Its attempts</a>
        </div>
      )}
    </section>
  );
}

function Definition({ subtask }: { subtask: PlannedSubtask | undefined }) {
  if (subtask === undefined) return null;
  const { description, criteria = [], deliverables = [] } = subtask;
  return (
    <>
      <p class="said">{description}</p>
      <dl class="definition">
        <Row name="checked by" items={namedChecks(subtask)} mono />
        <Row name="done when" items={criteria} />
        <Row name="files" items={deliverables} mono />
      </dl>
    </>
  );
}

function Row({ name, items, mono = false }: { name: string; items: readonly string[]; mono?: boolean }) {
  if (items.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {items.map((item) => (
          <div>{mono ? <code>{item}</code> : item}</div>
        ))}
      </dd>
    </>
  );
}
