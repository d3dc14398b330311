/** Names that the bench and its worker process share. */
export const taskQueue = 'bench';
export const host = 'bench';
/** The queue of an activity of the user's own. */
export const benchQueue = 'bench-activities';
export const noopName = 'doNothing';
/** One whose first attempt at anything fails. */
export const failsOnceName = 'failOnce';
