import { useRef } from 'preact/hooks';
import { DecisionCard } from '../decision/decision-card.tsx';
import { useCard } from '../decision/use-card.ts';
import type { InboxItem } from '../api/wire.ts';
import { useKeys } from '../core/keys.ts';
import { hrefOf, navigate, query } from '../core/router.ts';
import { boardReady, inbox, keyOf } from '../live/board.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount } from '../parts/format.ts';
import { AlikeBar, AlikeCard } from './alike.tsx';
import { AskRow } from './ask-row.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { Going } from './going.tsx';

/** The inbox with the card of a question beside it. On a narrow page, the address decides which of both is shown. */
export function DecisionPlace({ task, decision }: { task: string | null; decision: string | null }) {
  const items = inbox.value;
  const alike = query.value.get('alike');
  const chosen = task !== null && decision !== null ? { taskId: task, id: decision } : items[0];
  useKeys({ j: () => step(items, chosen, 1), k: () => step(items, chosen, -1) });
  const Title = task === null ? 'h1' : 'h2';
  const isListed = task === null && alike === null;
  if (items.length === 0 && isListed)
    return <div class="view">{boardReady.value ? <EmptyInbox /> : <p class="quiet">Reading what needs you…</p>}</div>;
  return (
    <div class={`view inbox ${isListed ? 'shows-list' : 'shows-card'}`}>
      <div class="column">
        <div class="head">
          <Title>Needs you</Title>
          <span class="quiet small">
            {items.length === 0 ? 'nothing more' : `${formatCount(items.length, 'question')}, oldest first`}
          </span>
        </div>
        <AlikeBar />
        <ol class="asks">
          {items.map((item) => (
            <AskRow
              key={keyOf(item)}
              item={item}
              isHere={alike === null && chosen !== undefined && keyOf(item) === keyOf(chosen)}
            />
          ))}
        </ol>
        <Going />
      </div>
      {alike === null ? (
        chosen === undefined ? null : (
          <ChosenCard key={keyOf(chosen)} task={chosen.taskId} decision={chosen.id} />
        )
      ) : (
        <AlikeCard key={alike} group={alike} />
      )}
    </div>
  );
}

function step(items: readonly InboxItem[], chosen: { taskId: string; id: string } | undefined, by: number): void {
  const index = chosen === undefined ? -1 : items.findIndex((item) => keyOf(item) === keyOf(chosen));
  const next = items[Math.min(items.length - 1, Math.max(0, index + by))];
  if (next !== undefined) navigate(hrefOf.decision(next.taskId, next.id));
}

function ChosenCard({ task, decision }: { task: string; decision: string }) {
  const { card, error, reload } = useCard(task, decision);
  const lastIndex = useRef(0);
  const index = inbox.value.findIndex((item) => keyOf(item) === `${task}/${decision}`);
  if (index >= 0) lastIndex.current = index;
  if (card === undefined && error === undefined)
    return (
      <article class="card sheet" aria-busy="true">
        <div class="body quiet">Reading the question…</div>
      </article>
    );
  if (card === undefined)
    return (
      <article class="card sheet">
        <div class="body">
          <Failure error={error} />
          <button class="button" type="button" onClick={reload}>
            Ask again
          </button>
        </div>
      </article>
    );
  return (
    <DecisionCard card={card} onAnswered={() => openNext(`${task}/${decision}`, lastIndex.current)} onStale={reload} />
  );
}

/** The question that takes the place of the answered one; the inbox when it was the last. */
function openNext(key: string, index: number): void {
  const left = inbox.peek().filter((item) => keyOf(item) !== key);
  const next = left[Math.min(index, left.length - 1)];
  navigate(next === undefined ? '/' : hrefOf.decision(next.taskId, next.id));
}
