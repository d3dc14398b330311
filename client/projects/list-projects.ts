import type { HeddleClient } from '../sdk/heddle-client.ts';

export interface ProjectTasks {
  project: string;
  /** How many tasks the server knows. */
  tasks: number;
}

/** Lists the projects of all tasks that the server knows, by name. */
export async function listProjects(client: HeddleClient): Promise<ProjectTasks[]> {
  const counts = new Map<string, number>();
  for (const { project } of await client.list())
    if (project !== null) counts.set(project, (counts.get(project) ?? 0) + 1);
  return [...counts].map(([project, tasks]) => ({ project, tasks })).sort((a, b) => a.project.localeCompare(b.project));
}
