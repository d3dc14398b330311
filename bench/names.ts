/** Names that the bench and its worker process share. */
export const taskQueue = 'bench';
export const host = 'bench';
/** An activity of the user's own, on the same queue. */
export const noopName = 'doNothing';
/** A subtask whose first attempt at anything fails. */
export const failsOnceName = 'failOnce';
