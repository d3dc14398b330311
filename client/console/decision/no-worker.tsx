import { Failure } from '../parts/failure.tsx';

/** No worker answers: the answer can be left for it. */
export function NoWorker({ error, onSend }: { error: unknown; onSend: () => void }) {
  return (
    <div>
      <Failure error={error} />
      <button class="button" type="button" onClick={onSend}>
        Leave the answer for the next worker
      </button>
    </div>
  );
}
