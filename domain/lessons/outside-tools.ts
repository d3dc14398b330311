/** Tools that reach nothing beyond this machine's files, the task and its people. */
const localTools: ReadonlySet<string> = new Set([
  ...['read_file', 'write_file', 'edit_file', 'delete_path', 'move_path', 'list_folder', 'find_files', 'search_text'],
  ...['shell', 'git', 'ask_user', 'note', 'narrate', 'todo', 'finish', 'save_artifact', 'recall', 'delegate_task'],
]);

/** Decides if a tool shows texts that anybody may have written. A tool that nobody knows counts as one: the web, foreign servers, own tools. */
export const readsOutside = (tool: string): boolean => !localTools.has(tool);
