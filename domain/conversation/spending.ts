import { limits } from '../limits/domain-limits.ts';
import type { Grant, GrantKey, ModelUse, Usage } from '../types/agent.ts';
import { sumUses } from '../llm/sum-uses.ts';
import { roundUsd } from '../util/usd.ts';
import type { ToolFailure, ResourceUsage } from '../types/outcome.ts';
import { clip } from '../text/text.ts';
import type { Answer, LogEntry, LogEntryOf } from './entry.ts';

/** An agent knows every count. */
type AgentUsed = Required<Omit<ResourceUsage, 'costUnknown'>>;

const nothing: AgentUsed = { costUsd: 0, tokens: 0, modelCalls: 0, toolCalls: 0, mutations: 0 };

export const sumTokens = ({ input, output }: Usage): number => input + output;

const hasRun = ({ kind }: Pick<Answer, 'kind'>): boolean => kind === 'reads' || kind === 'mutates';

/** The usage of a conversation, by its log alone: a crash forgets nothing. */
export class Spending {
  #used: AgentUsed = nothing;
  #model = '';
  #models: ModelUse[] = [];
  /** Requests that nothing was heard of, by turn: they count as if they had used all that they may. */
  #open: LogEntryOf<'call'> | undefined;
  /** Effects without a result: they may have happened. */
  readonly #claimed = new Set<string>();

  /** Calls that ran a tool and came to an error, by their place. */
  readonly #failed = new Set<string>();
  readonly #failures = new Map<string, ToolFailure>();

  take(entry: LogEntry): void {
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
        this.#charge(this.#askedBy({}), { tokens: sumTokens(entry.usage), costUsd: entry.costUsd });
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
      case 'fold':
        if (entry.by === undefined) break;
        this.#open = undefined;
        this.#charge(
          { model: entry.by.model, role: 'compactor' },
          { tokens: sumTokens(entry.by.usage), costUsd: entry.by.costUsd },
        );
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
    return this.#open === undefined ? this.#models : this.#with(this.#askedBy(this.#open), this.#open);
  }

  /** The rest below a ceiling of the whole conversation. */
  left(ceiling: Grant, key: GrantKey): number {
    return (ceiling[key] ?? Infinity) - this.used[key];
  }

  /** Tool calls that ran and failed. */
  get failedCalls(): number {
    return this.#failed.size;
  }

  /** The same by tool, the tool that failed most often first. */
  get toolFailures(): ToolFailure[] {
    return [...this.#failures.values()].sort((a, b) => b.calls - a.calls);
  }

  #answered(answer: Pick<Answer, 'call' | 'kind' | 'isError' | 'tool' | 'text'>): void {
    if (hasRun(answer) && answer.isError) this.#noteFailure(answer);
    if (!hasRun(answer) || this.#claimed.has(answer.call)) return;
    this.#used = { ...this.#used, toolCalls: this.#used.toolCalls + 1 };
  }

  /** A call that is told twice, by its result and by the turn that heard it, failed once. */
  #noteFailure({ call, tool, text }: Pick<Answer, 'call' | 'tool' | 'text'>): void {
    if (this.#failed.has(call)) return;
    this.#failed.add(call);
    const { calls } = this.#failures.get(tool) ?? { calls: 0 };
    this.#failures.set(tool, { tool, calls: calls + 1, last: clip(text, limits.failureDetails) });
  }

  #askedBy({ compactor }: Pick<LogEntryOf<'call'>, 'compactor'>): AskedModel {
    return compactor === undefined ? { model: this.#model, role: 'executor' } : { model: compactor, role: 'compactor' };
  }

  #chargeOpen(): void {
    if (this.#open !== undefined) this.#charge(this.#askedBy(this.#open), this.#open);
    this.#open = undefined;
  }

  #charge(asked: AskedModel, cost: Cost): void {
    this.#used = withCall(this.#used, cost);
    this.#models = this.#with(asked, cost);
  }

  #with(asked: AskedModel, { tokens, costUsd }: Cost): ModelUse[] {
    return sumUses([...this.#models, { ...asked, calls: 1, tokens, costUsd }]);
  }
}

interface Cost {
  tokens: number;
  costUsd: number;
}

type AskedModel = Required<Pick<ModelUse, 'model' | 'role'>>;

const withCall = (used: AgentUsed, { tokens, costUsd }: Cost): AgentUsed => ({
  ...used,
  modelCalls: used.modelCalls + 1,
  tokens: used.tokens + tokens,
  costUsd: roundUsd(used.costUsd + costUsd),
});
