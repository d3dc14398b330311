import type { GatedAction } from '../../../domain/types/agent.ts';
import { Icon } from '../parts/icon.tsx';
import { formatDanger, formatExact } from './format-action.ts';

/** The exact action, whole and wrapped. */
export function Exact({ action, check, once }: { action: GatedAction; check: boolean; once: boolean }) {
  return (
    <div>
      <div class="label">
        {check ? 'It would check the result with exactly this' : `It would run exactly this${once ? ', once' : ''}`}
      </div>
      <div class="exact">
        <pre tabIndex={0}>
          <code>{formatExact(action)}</code>
        </pre>
        <div class="under">
          <span>{action.tool}</span>
          <span>{action.sandboxed === true ? 'in the sandbox' : 'without a sandbox'}</span>
          <span>asked about: {formatDanger(action.danger)}</span>
          <span class="mono" title="Hash of the whole action">
            {action.hash.slice(0, 8)}
          </span>
        </div>
      </div>
      {action.cut === true ? (
        <div class="problem">
          <Icon name="no" />
          <span>
            This is only a part: the whole was too long to be kept. Read the conversation before you allow it.
          </span>
        </div>
      ) : null}
    </div>
  );
}

/** The reason in the model's own words, and the gate's. */
export function Why({ action, conversation }: { action: GatedAction; conversation: string | null }) {
  return (
    <div>
      <div class="label">
        {action.said === undefined ? 'Why it asks' : 'Why, in its own words'}
        {conversation === null ? null : <a href={conversation}>Whole conversation</a>}
      </div>
      {action.said === undefined ? null : <p class="said">{action.said}</p>}
      <p class={action.said === undefined ? '' : 'small quiet'}>{action.why}</p>
    </div>
  );
}
