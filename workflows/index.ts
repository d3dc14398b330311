export { project } from './project.ts';
export { task } from './task.ts';
