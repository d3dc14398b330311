import type { Card } from '../api/wire.ts';
import { projectOf } from '../live/board.ts';
import type { DraftState } from './draft.ts';

/** The same answer from now on: for a failure, or for an action that may be allowed for good. */
export function Scope({ card, draft }: { card: Card; draft: DraftState }) {
  if (card.signature === null)
    return <span class="quiet">{'action' in card ? 'A yes holds for this alone.' : ''}</span>;
  const project = projectOf(card.taskId);
  const isGate = card.kind === 'approval';
  if (isGate && draft.value.option !== 'approve') return <span />;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={draft.value.forGood}
        onChange={(event) => draft.change({ forGood: event.currentTarget.checked })}
      />
      {isGate ? 'allow this from now on' : 'the same for this failure from now on'}
      {project === null ? '' : `, in ${project}`}
    </label>
  );
}
