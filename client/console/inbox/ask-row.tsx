import type { Card, InboxItem } from '../api/wire.ts';
import { hrefOf } from '../core/router.ts';
import { cards, keyOf } from '../live/board.ts';
import { now } from '../live/clock.ts';
import { formatExact } from '../decision/format-action.ts';
import { formatAgo, formatCount, formatUsd } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { signOfQuestion } from '../parts/state.ts';
import { Tag } from '../parts/tag.tsx';

export function AskRow({ item, isHere }: { item: InboxItem; isHere: boolean }) {
  const card = cards.value.get(keyOf(item));
  const { icon, word } = signOfQuestion(card ?? item);
  return (
    <li class={isHere ? 'here' : undefined}>
      <a href={hrefOf.decision(item.taskId, item.id)} aria-current={isHere ? 'true' : undefined}>
        <span class="eye">
          <Icon name={icon} />
          <span class="sr">{word}: </span>
        </span>
        <span class="what">{shorten(item.problem)}</span>
        <span class="when">{formatAgo(item.openedAt, now.value)}</span>
        <span class="task people">{item.goal}</span>
        <Notes card={card} />
      </a>
    </li>
  );
}

/** The first sentence: the card has the whole. */
function shorten(problem: string): string {
  const line = problem.split('\n', 1)[0] ?? '';
  const end = /[.?!](?=\s[A-Z“"`])/.exec(line);
  return end === null ? line : line.slice(0, end.index + 1);
}

function Notes({ card }: { card: Card | undefined }) {
  if (card === undefined) return null;
  const notes = [...listNotes(card)];
  if (notes.length === 0) return null;
  return (
    <span class="note">
      {notes.map((note) => (
        <Tag>{note}</Tag>
      ))}
    </span>
  );
}

function* listNotes(card: Card): Generator<string> {
  if (card.tried.length > 0) yield formatCount(card.tried.length, 'attempt');
  if ('action' in card) yield clip(formatExact(card.action), 44);
  if (card.kind === 'budget') yield 'nothing new starts';
  if (card.kind === 'plan' && card.estimate !== undefined) yield `a guess: ${formatUsd(card.estimate.costUsd)} USD`;
  if (card.deadline !== null) yield `answers itself ${new Date(card.deadline).toLocaleTimeString()}`;
}

const clip = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
