export { project } from './project/project-workflow.ts';
export { task } from './task/task-workflow.ts';
export type { TaskInput, TaskResult } from './task/messages.ts';
