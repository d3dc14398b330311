import type { Budget } from '../api/wire.ts';
import { formatNumber, formatSpan, formatUsd } from './format.ts';

const names: Readonly<Record<string, string>> = {
  costUsd: 'Cost',
  wallClock: 'Time',
  tokens: 'Tokens',
  modelCalls: 'Model calls',
  toolCalls: 'Tool calls',
  mutations: 'Changes of files',
  replans: 'New plans',
  remediations: 'Repairs',
};

/** The share of a limit from which its colour warns. */
const nearShare = 0.8;

export function Meters({ budget }: { budget: Budget }) {
  const rows = Object.entries(budget).filter(([, { used, limit }]) => limit !== null || used > 0);
  if (rows.length === 0) return <p class="quiet small">Nothing has a limit.</p>;
  return (
    <div class="meters">
      {rows.map(([key, { used, limit }]) => (
        <div class="meter" key={key}>
          <span>{names[key] ?? key}</span>
          <span class={limit !== null && used >= nearShare * limit ? 'is-ask' : 'quiet'}>
            {formatAmount(key, used)}
            {limit === null ? '' : ` of ${formatAmount(key, limit)}`}
            {key === 'costUsd' ? ' USD' : ''}
          </span>
          {limit === null ? null : (
            <progress
              class={used >= nearShare * limit ? 'near' : undefined}
              max={limit}
              value={Math.min(used, limit)}
              aria-label={names[key] ?? key}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function formatAmount(key: string, amount: number): string {
  if (key === 'costUsd') return formatUsd(amount);
  return key === 'wallClock' ? formatSpan(amount) : formatNumber(amount);
}
