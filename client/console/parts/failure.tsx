import { explainError } from '../api/api-error.ts';
import { Icon } from './icon.tsx';

/** A refusal: what is wrong, and what to do. */
export function Failure({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const { message, hint } = explainError(error);
  return (
    <div class="problem" role="alert">
      <Icon name="no" />
      <span>
        {message}
        {hint === '' ? null : <span class="hint"> {hint}</span>}
      </span>
    </div>
  );
}
