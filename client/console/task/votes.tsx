import type { AttemptView } from '../api/wire.ts';
import { Icon } from '../parts/icon.tsx';

type Judgement = NonNullable<AttemptView['judgement']>;

const lenses: Readonly<Record<string, string>> = {
  overall: 'Overall',
  correctness: 'Correct',
  completeness: 'Complete',
  evidence: 'Evidence',
};

/** The votes of the judges, and how sure each is. */
export function Votes({ judgement }: { judgement: Judgement }) {
  return (
    <>
      <div class="votes">
        {judgement.votes.map((vote) => (
          <Vote vote={vote} />
        ))}
      </div>
      {judgement.contradictions > 0 ? (
        <p class="small quiet">The files contradicted a judge {judgement.contradictions} times.</p>
      ) : null}
    </>
  );
}

function Vote({ vote }: { vote: Judgement['votes'][number] }) {
  const { lens, passed, confidence, model, says } = vote;
  const name = lenses[lens] ?? lens;
  const tone = passed === null ? 'idle' : passed ? 'done' : 'fail';
  return (
    <div class="vote">
      <b class={`is-${tone}`}>
        <Icon name={passed === null ? 'idle' : passed ? 'ok' : 'no'} />
        <span>
          {name}
          <span class="sr">{passed === null ? ', not readable' : passed ? ', yes' : ', no'}</span>,{' '}
          {confidence.toFixed(2)}
        </span>
      </b>
      <p>
        {says ?? (passed === null ? 'Nobody could read what it said.' : passed ? 'Accepts it.' : 'Does not accept it.')}
      </p>
      {model === null ? null : <p class="quiet">{model}</p>}
    </div>
  );
}
