/**
 * Files that agent programs write into a workspace for themselves, as git's ignore rules name them. Histories and caches are no result of
 * work, so no snapshot, diff or subtask contains them. Settings of these programs (`.aider.conf.yml`) are not listed.
 */
export const leftBehind = ['.aider.chat.history.md', '.aider.input.history', '.aider.tags.cache.v*'];
