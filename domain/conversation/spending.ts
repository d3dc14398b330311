import type { Grant, GrantKey, ModelUse, Usage } from '../types/agent.ts';
import { sumUses } from '../llm/sum-uses.ts';
import { roundUsd } from '../util/usd.ts';
import type { ToolFailure, ResourceUsage } from '../types/outcome.ts';
import type { LoggedResult, LogEntry, LogEntryOf } from './entry.ts';
import { ToolFailures } from './tool-failures.ts';

/** An agent's usage has every count. */
type AgentUsed = Required<Omit<ResourceUsage, 'costUnknown'>>;

const nothing: AgentUsed = { costUsd: 0, tokens: 0, modelCalls: 0, toolCalls: 0, mutations: 0 };

export const sumTokens = ({ input, output }: Usage): number => input + output;

const hasRun = ({ kind }: Pick<LoggedResult, 'kind'>): boolean => kind === 'reads' || kind === 'mutates';

/** The usage of an attempt, computed from its log alone, so that a crash loses nothing. */
export class Spending {
  #used: AgentUsed = nothing;
  #model = '';
  #models: ModelUse[] = [];
  /** The request without a reply so far: it counts as if it had used its whole reserve. */
  #open: LogEntryOf<'call'> | undefined;
  /** Effects without a result: they may have happened. */
  readonly #claimed = new Set<string>();
  /** Names of tools that ran. */
  readonly #tools = new Set<string>();

  readonly #failures = new ToolFailures();

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

  /** The usage, with the reserve of a request that is still open. */
  get used(): AgentUsed {
    return this.#open === undefined ? this.#used : withCall(this.#used, this.#open);
  }

  get models(): ModelUse[] {
    return this.#open === undefined ? this.#models : this.#with(this.#askedBy(this.#open), this.#open);
  }

  /** Returns what is left below a ceiling of the whole attempt. */
  left(ceiling: Grant, key: GrantKey): number {
    return (ceiling[key] ?? Infinity) - this.used[key];
  }

  /** The number of tool calls that ran and failed. */
  get failedCalls(): number {
    return this.#failures.count;
  }

  /** Failed calls by tool, the most frequent first. */
  get toolFailures(): ToolFailure[] {
    return this.#failures.list;
  }

  /** Decides if a tool of some kind ran. */
  hasUsed(isMeant: (tool: string) => boolean): boolean {
    return [...this.#tools].some(isMeant);
  }

  #answered(answer: Pick<LoggedResult, 'call' | 'kind' | 'isError' | 'tool' | 'text'>): void {
    if (hasRun(answer)) this.#tools.add(answer.tool);
    if (hasRun(answer)) this.#failures.note(answer);
    if (!hasRun(answer) || this.#claimed.has(answer.call)) return;
    this.#used = { ...this.#used, toolCalls: this.#used.toolCalls + 1 };
  }

  #askedBy({ compactor }: Pick<LogEntryOf<'call'>, 'compactor'>): AskedModel {
    return compactor === undefined ? { model: this.#model, role: 'executor' } : { model: compactor, role: 'compactor' };
  }

  #chargeOpen(): void {
    if (this.#open !== undefined) this.#charge(this.#askedBy(this.#open), this.#open);
    this.#open = undefined;
  }

  #charge(askedModel: AskedModel, cost: Cost): void {
    this.#used = withCall(this.#used, cost);
    this.#models = this.#with(askedModel, cost);
  }

  #with(askedModel: AskedModel, { tokens, costUsd }: Cost): ModelUse[] {
    return sumUses([...this.#models, { ...askedModel, calls: 1, tokens, costUsd }]);
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
