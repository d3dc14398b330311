/** A content-addressed object in the store. History carries these, never the bytes. */
export interface Ref {
  sha256: string;
  bytes: number;
}

/** A file as it was at some moment; null: it was not there. */
export interface Stamp {
  path: string;
  sha256: string | null;
}

export interface FileState {
  path: string;
  state: 'created' | 'modified' | 'unchanged' | 'missing' | 'deleted';
  lines: number;
}
