/**
 * What agent programs write into a workspace for themselves, as git's ignore rules name it: histories and caches are nobody's work, so they
 * are in no snapshot, no diff and no subtask's files. Their settings (`.aider.conf.yml`) are not among them.
 */
export const leftBehind = ['.aider.chat.history.md', '.aider.input.history', '.aider.tags.cache.v*'];
