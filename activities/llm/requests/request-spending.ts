import type { Grant, GrantKey, ModelUse } from '../../../domain/types/agent.ts';
import type { SpentBefore } from '../../../domain/types/judgement.ts';
import type { ModelRole } from '../../../domain/types/llm.ts';
import type { ResourceUsage } from '../../../domain/types/outcome.ts';
import { sumUses } from '../../../domain/llm/sum-uses.ts';
import { roundUsd } from '../../../domain/util/usd.ts';
import type { LedgerEntry } from './request-ledger.ts';

interface Charge {
  model: string;
  tokens: number;
  costUsd: number;
}

const perCall = ['modelCalls', 'tokens', 'costUsd'] as const satisfies readonly GrantKey[];

/** The spending of all requests of one role, above what had been spent before. A request counts from the moment it goes out. */
export class RequestSpending {
  readonly #before: SpentBefore;
  readonly #ceiling: Grant;
  readonly #role: ModelRole;
  readonly #charges = new Map<string, Charge>();

  /** However often it is executed, what was granted is given once: it counts from what the task knew when it gave it. */
  constructor(
    role: ModelRole,
    before: SpentBefore,
    { grant, spent = {} }: { grant: Grant; spent?: Partial<Record<GrantKey, number>> },
  ) {
    this.#role = role;
    this.#before = before;
    const entries = Object.entries(grant) as [GrantKey, number][];
    this.#ceiling = Object.fromEntries(entries.map(([key, more]) => [key, (spent[key] ?? 0) + more]));
  }

  /** Keys of which nothing is left. */
  lacks(): GrantKey[] {
    const { used } = this;
    return perCall.filter((key) => (this.#ceiling[key] ?? Infinity) - (used[key] ?? 0) <= 0);
  }

  /** All that it may take, until its end is known; nothing, where it came to nothing that a provider counts. */
  charge(id: string, { request, answer }: LedgerEntry): void {
    if (answer?.kind === 'failed' && !answer.charged) {
      this.#charges.delete(id);
      return;
    }
    const { tokens, costUsd } = answer?.kind === 'said' ? answer : request;
    this.#charges.set(id, { model: request.model, tokens, costUsd });
  }

  get used(): ResourceUsage {
    const { used } = this.#before;
    const charges = [...this.#charges.values()];
    return {
      ...used,
      modelCalls: (used.modelCalls ?? 0) + charges.length,
      tokens: charges.reduce((sum, { tokens }) => sum + tokens, used.tokens),
      costUsd: roundUsd(charges.reduce((sum, { costUsd }) => sum + costUsd, used.costUsd)),
    };
  }

  get models(): ModelUse[] {
    const charges = [...this.#charges.values()];
    return sumUses([...this.#before.models, ...charges.map((charge) => ({ ...charge, role: this.#role, calls: 1 }))]);
  }
}
