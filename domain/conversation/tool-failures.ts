import { limits } from '../limits/domain-limits.ts';
import type { ToolFailure } from '../types/outcome.ts';
import { clip } from '../text/text.ts';
import type { LoggedResult } from './entry.ts';

/** File tools make up for each other: what `edit_file` could not do, `write_file` may have done. */
const fileTools: ReadonlySet<string> = new Set(['write_file', 'edit_file', 'delete_path', 'move_path']);

interface Noted extends ToolFailure {
  /** The newest of these calls only looked: a probe. */
  reads: boolean;
}

/** Calls of tools that failed in an attempt, and those that the agent left behind without another way. */
export class ToolFailures {
  /** A call is logged twice, by its result and by the next turn: only its first result counts. */
  readonly #answered = new Set<string>();
  readonly #failures = new Map<string, Noted>();
  #count = 0;

  /** Takes the result of a call that ran a tool. */
  note({ call, tool, kind, text, isError }: Pick<LoggedResult, 'call' | 'tool' | 'kind' | 'text' | 'isError'>): void {
    if (this.#answered.has(call)) return;
    this.#answered.add(call);
    if (!isError) return this.#settle(tool);
    this.#count += 1;
    const { calls } = this.#failures.get(tool) ?? { calls: 0 };
    const last = clip(text, limits.failureDetails);
    this.#failures.set(tool, { tool, calls: calls + 1, last, left: true, reads: kind === 'reads' });
  }

  get count(): number {
    return this.#count;
  }

  /** Lists them by tool, the most frequent first. */
  get list(): ToolFailure[] {
    return [...this.#failures.values()]
      .sort((a, b) => b.calls - a.calls)
      .map(({ tool, calls, last, left }) => ({ tool, calls, last, ...(left === undefined ? {} : { left }) }));
  }

  /** A later call went well: of the same tool, of another file tool, or, after a failed look, of any tool. */
  #settle(tool: string): void {
    for (const failure of this.#failures.values()) {
      const isAlike = failure.tool === tool || (fileTools.has(failure.tool) && fileTools.has(tool));
      if (isAlike || failure.reads) delete failure.left;
    }
  }
}
