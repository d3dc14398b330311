/** What a program says of itself in its last line of output. */
export interface CompletionContract {
  status: 'success' | 'partial' | 'failed' | 'blocked';
  notes?: string;
  deliverablesTouched?: string[];
  costUsd?: number;
  tokens?: number;
}
