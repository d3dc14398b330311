/** The bundle of the bench: Heddle's own workflows and the bare ones, for one worker. */
export * from '../workflows/index.ts';
export { bare, bareDecisions } from './bare-workflow.ts';
