export { task } from './task.ts';
