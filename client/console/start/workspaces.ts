const key = 'heddle-workspaces';
const mostKept = 8;

/** Folders of the last tasks that were started from this browser, newest first. */
export function recentWorkspaces(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((folder) => typeof folder === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberWorkspace(folder: string): void {
  const name = folder.trim();
  if (name === '') return;
  const kept = [name, ...recentWorkspaces().filter((other) => other !== name)].slice(0, mostKept);
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The field is empty the next time.
  }
}
