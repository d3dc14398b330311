import type { PlanProblem } from '../api/wire.ts';
import { Icon } from '../parts/icon.tsx';

export function Problems({ problems }: { problems: readonly PlanProblem[] }) {
  return (
    <ul class="problems" aria-label="Problems of the plan">
      {problems.map(({ where, message, hint }) => (
        <li class="problem">
          <Icon name="no" />
          <span>
            {where === undefined || message.includes(where) ? message : `${where}: ${message}`}
            {hint === undefined ? null : <span class="hint"> {hint}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
