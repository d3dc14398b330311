/** What a mutating call will do, found out before anything is done. JSON: it is written ahead. */
export interface Effect {
  /** In words, for a person who is asked whether it happened. */
  action: string;
  /** Each file that it writes or removes: its hash before and after; null: not there. */
  files: { path: string; before: string | null; after: string | null }[];
}
