/** The roles of the API, from the least rights to the most: each role includes those before it. */
export const roles = ['viewer', 'decider', 'operator'] as const;

/** The rights of a name that calls the API: to look, to answer questions, or to run tasks. */
export type Role = (typeof roles)[number];
