/**
 * Paths that a subtask writes, or waits to write. Two overlap when they are equal or one is a folder above the other. Spellings that some
 * file systems treat as equal (case, composed letters) are equal here, since an unnecessary wait only costs time.
 */
export class ClaimedPaths {
  private readonly claimed = new Set<string>();
  private readonly foldersAbove = new Set<string>();

  add(paths: readonly string[]): void {
    for (const path of paths) {
      const key = normalizePath(path);
      this.claimed.add(key);
      for (const folder of listFolders(key)) this.foldersAbove.add(folder);
    }
  }

  overlaps(paths: readonly string[]): boolean {
    return paths.some((path) => {
      const key = normalizePath(path);
      return (
        this.claimed.has(key) ||
        this.foldersAbove.has(key) ||
        listFolders(key).some((folder) => this.claimed.has(folder))
      );
    });
  }
}

const normalizePath = (path: string): string => path.normalize('NFC').toLowerCase();

function listFolders(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
