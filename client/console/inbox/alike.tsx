import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { explainError } from '../api/api-error.ts';
import type { AnsweredBatch, Card, OptionId } from '../api/wire.ts';
import { showToast } from '../core/announce.ts';
import { useKeys } from '../core/keys.ts';
import { hrefOf, navigate } from '../core/router.ts';
import { mayDecide, person } from '../core/session.ts';
import { cards, dropQuestion, inbox, keyOf } from '../live/board.ts';
import { Options } from '../decision/options.tsx';
import { Scope } from '../decision/scope.tsx';
import { SendButton } from '../decision/send-button.tsx';
import { isComplete, useDraft, type Draft } from '../decision/draft.ts';
import { formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Tag } from '../parts/tag.tsx';

/** At most as many answers as one request takes. */
const mostAnswers = 50;

/** Failures that have one signature, and so most likely one cause: one answer can do for all. */
const groups = computed(() => {
  const bySignature = new Map<string, Card[]>();
  for (const item of inbox.value) {
    const card = cards.value.get(keyOf(item));
    if (card?.kind !== 'escalation' || card.signature === null) continue;
    const list = bySignature.get(card.signature) ?? [];
    list.push(card);
    bySignature.set(card.signature, list);
  }
  return new Map([...bySignature].filter(([, list]) => list.length > 1));
});

export function AlikeBar() {
  const all = [...groups.value];
  if (all.length === 0) return null;
  return (
    <ul class="alike">
      {all.map(([signature, list]) => (
        <li key={signature}>
          <span>{formatCount(list.length, 'subtask')} fail alike</span>
          <a class="button" href={`/?alike=${encodeURIComponent(signature)}`}>
            Answer once
          </a>
        </li>
      ))}
    </ul>
  );
}

export function AlikeCard({ group }: { group: string }) {
  const list = (groups.value.get(group) ?? []).slice(0, mostAnswers);
  const [first] = list;
  if (first === undefined)
    return (
      <article class="card sheet">
        <div class="body">
          These are answered. <a href="/">What else needs you</a>
        </div>
      </article>
    );
  return <SameAnswer first={first} list={list} />;
}

/** Options that every one of them has, and whose answer is words at most: a value belongs to one question. */
const sharedOptions = (list: readonly Card[]): Card['options'] =>
  (list[0]?.options ?? []).filter(
    ({ id, needs }) =>
      (needs === undefined || 'words' in needs) &&
      list.every(({ options }) => options.some((option) => option.id === id)),
  );

function SameAnswer({ first, list }: { first: Card; list: readonly Card[] }) {
  const options = sharedOptions(list);
  const draft = useDraft(first);
  const [sending, setSending] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const send = async (): Promise<void> => {
    setSending(true);
    setProblems(await answerAll(list, draft.value).catch((error: unknown) => [explainError(error).message]));
    setSending(false);
  };
  useKeys({ Enter: () => void (isComplete(first, draft.value) && send()) });
  return (
    <article class="card sheet">
      <header>
        <div class="facts">
          <Tag tone="ask" icon="ask">
            Fail alike
          </Tag>
          <span>{formatCount(list.length, 'question')}</span>
        </div>
        <h2>{first.problem}</h2>
      </header>
      <div class="body">
        <div>
          <div class="label">Where</div>
          <ul class="files">
            {list.map((card) => (
              <li key={keyOf(card)}>
                <a href={hrefOf.decision(card.taskId, card.id)}>{card.subtask ?? card.id}</a>
                <span class="people">{card.goal}</span>
              </li>
            ))}
          </ul>
        </div>
        <Options card={{ ...first, options }} draft={draft} />
        {problems.map((problem) => (
          <div class="problem" role="alert">
            <Icon name="no" />
            <span>{problem}</span>
          </div>
        ))}
      </div>
      <footer>
        <span class="quiet">Each of them gets this answer.</span>
        <Scope card={first} draft={draft} />
        {mayDecide.value ? (
          <SendButton card={first} draft={draft.value} sending={sending} onSend={() => void send()} />
        ) : null}
      </footer>
    </article>
  );
}

type SentAnswer = AnsweredBatch['items'][number];

/** An answer for good reaches all open questions of a task that are alike, so it may be there before its own turn comes. */
const isAnswered = ({ ok, error }: SentAnswer, option: OptionId): boolean =>
  ok || (error?.answer?.option === option && error.answer.by === person.value?.name);

/** Sends one answer to all of them; the problems of those that did not take it. */
async function answerAll(list: readonly Card[], draft: Draft): Promise<string[]> {
  const { option, text, forGood } = draft;
  if (option === null) return [];
  const answers = list.map(({ taskId, id }) => ({
    taskId,
    decisionId: id,
    option,
    ...(text.trim() === '' ? {} : { instruction: text.trim() }),
    ...(forGood ? { scope: 'signature' } : {}),
  }));
  const { items } = await post<AnsweredBatch>('/decisions', { answers });
  const sent = items.filter((item) => isAnswered(item, option));
  for (const { taskId, decisionId } of sent) dropQuestion(`${taskId}/${decisionId}`);
  if (sent.length > 0) showToast(`Answered ${formatCount(sent.length, 'question')}`);
  const failed = items.filter((item) => !sent.includes(item));
  if (failed.length === 0) navigate('/');
  return failed.map(({ decisionId, error }) => `${decisionId}: ${error?.message ?? 'not taken'}`);
}
