import type { Grant, GrantKey, ModelUse, Usage } from '../model/agent.ts';
import { roundUsd } from '../usd.ts';
import type { Used } from '../model/outcome.ts';
import type { Answer, Entry, EntryOf } from './entry.ts';

/** An agent knows every count. */
type AgentUsed = Required<Used>;

const nothing: AgentUsed = { costUsd: 0, tokens: 0, modelCalls: 0, toolCalls: 0, mutations: 0 };

export const tokensOf = ({ input, output }: Usage): number => input + output;

const hasRun = ({ kind }: Pick<Answer, 'kind'>): boolean => kind === 'reads' || kind === 'mutates';

/** What an attempt has used, by its log alone: a crash forgets nothing. */
export class Spending {
  #used: AgentUsed = nothing;
  #model = '';
  #calls: Omit<ModelUse, 'model'> = { calls: 0, tokens: 0, costUsd: 0 };
  /** Requests that nothing was heard of, by turn: they count as if they had used all that they may. */
  #open: EntryOf<'call'> | undefined;
  /** Effects without a result: they may have happened. */
  readonly #claimed = new Set<string>();

  /** Calls that ran a tool and came to an error, by their place. */
  readonly #failed = new Set<string>();

  take(entry: Entry): void {
    switch (entry.k) {
      case 'frame':
        this.#model = entry.model.name;
        break;
      case 'call':
        this.#chargeOpen();
        this.#open = entry;
        break;
      case 'failed':
        if (entry.charged) this.#chargeOpen();
        this.#open = undefined;
        break;
      case 'turn':
        this.#open = undefined;
        this.#charge(tokensOf(entry.usage), entry.costUsd);
        for (const answer of entry.heard.answers) this.#answered(answer);
        break;
      case 'claim':
        if (this.#claimed.has(entry.call)) break;
        this.#claimed.add(entry.call);
        this.#used = { ...this.#used, toolCalls: this.#used.toolCalls + 1, mutations: this.#used.mutations + 1 };
        break;
      case 'result':
        this.#answered(entry);
        break;
      case 'segment':
      case 'permit':
      case 'stop':
        break;
    }
  }

  /** With a request that is still out, at its reserve. */
  get used(): AgentUsed {
    return this.#open === undefined ? this.#used : withCall(this.#used, this.#open);
  }

  get models(): ModelUse[] {
    const { calls, tokens, costUsd } = this.#calls;
    const open = this.#open ?? { tokens: 0, costUsd: 0 };
    const all = calls + (this.#open === undefined ? 0 : 1);
    if (all === 0) return [];
    return [
      { model: this.#model, calls: all, tokens: tokens + open.tokens, costUsd: roundUsd(costUsd + open.costUsd) },
    ];
  }

  /** What is left below a ceiling of the whole attempt. */
  left(ceiling: Grant, key: GrantKey): number {
    return (ceiling[key] ?? Infinity) - this.used[key];
  }

  /** Of the tool calls that ran. */
  get failedCalls(): number {
    return this.#failed.size;
  }

  #answered(answer: Pick<Answer, 'call' | 'kind' | 'isError'>): void {
    if (hasRun(answer) && answer.isError) this.#failed.add(answer.call);
    if (!hasRun(answer) || this.#claimed.has(answer.call)) return;
    this.#used = { ...this.#used, toolCalls: this.#used.toolCalls + 1 };
  }

  #chargeOpen(): void {
    if (this.#open !== undefined) this.#charge(this.#open.tokens, this.#open.costUsd);
    this.#open = undefined;
  }

  #charge(tokens: number, costUsd: number): void {
    this.#used = withCall(this.#used, { tokens, costUsd });
    const { calls, tokens: before, costUsd: paid } = this.#calls;
    this.#calls = { calls: calls + 1, tokens: before + tokens, costUsd: roundUsd(paid + costUsd) };
  }
}

const withCall = (used: AgentUsed, { tokens, costUsd }: { tokens: number; costUsd: number }): AgentUsed => ({
  ...used,
  modelCalls: used.modelCalls + 1,
  tokens: used.tokens + tokens,
  costUsd: roundUsd(used.costUsd + costUsd),
});
