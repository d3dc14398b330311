/** Everything below this path is the API. */
export const apiBase = '/api/v1';
