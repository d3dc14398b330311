/** The bundle of the bench: Heddle's own workflow and the bare ones, for one worker. */
export { task } from '../workflows/task.ts';
export { bare, bareDecisions } from './bare-workflow.ts';
