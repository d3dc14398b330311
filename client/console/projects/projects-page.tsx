import { get } from '../api/call.ts';
import { hrefOf } from '../core/router.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { ProjectMemory } from './project-memory.tsx';

export function ProjectsPage({ project }: { project: string | null }) {
  return project === null ? <AllProjects /> : <ProjectMemory project={project} />;
}

function AllProjects() {
  const { value, error } = useLoaded(
    (signal) => get<{ items: { project: string; tasks: number }[] }>('/projects', signal),
    [],
  );
  return (
    <div class="view middle-view">
      <h1 class="page-title">Projects</h1>
      <p class="quiet">Tasks of one project share what was learned from failures, and answers for good.</p>
      <Failure error={error} />
      {value?.items.length === 0 ? <p class="quiet nothing">There is no project yet.</p> : null}
      <ul class="rows">
        {value?.items.map(({ project, tasks }) => (
          <li key={project} class="task-row">
            <a class="people goal" href={hrefOf.project(project)}>
              {project}
            </a>
            <span class="quiet">{formatCount(tasks, 'task')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
