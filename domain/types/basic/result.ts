import type { Ref } from './ref.ts';

/** The result that a completed subtask hands down. */
export interface Result {
  status: 'success' | 'partial';
  /** The `DependencyResult`, in the store. */
  ref: Ref;
  /** Its own account of its work, shortened. Absent where it gave none, or an earlier task did the work. */
  notes?: string;
  /** Files besides the deliverables of the plan that it says it touched: bounded. */
  touched?: string[];
}
