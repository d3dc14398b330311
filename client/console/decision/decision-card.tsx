import { useEffect, useState } from 'preact/hooks';
import type { Card } from '../api/wire.ts';
import { announce, showToast } from '../core/announce.ts';
import { useKeys } from '../core/keys.ts';
import { hrefOf, navigate, place } from '../core/router.ts';
import { mayDecide } from '../core/session.ts';
import { projectOf } from '../live/board.ts';
import { Failure } from '../parts/failure.tsx';
import { formatClock, formatList } from '../parts/format.ts';
import { signOfQuestion } from '../parts/state.ts';
import { Tag } from '../parts/tag.tsx';
import { Answered } from './answered.tsx';
import { Budget } from './budget.tsx';
import { optionOf, readValue, textNeed, useDraft, type Draft } from './draft.ts';
import { Exact, Why } from './exact.tsx';
import { LeftFiles } from './left-files.tsx';
import { NoWorker } from './no-worker.tsx';
import { Options } from './options.tsx';
import { PlanCard } from './plan-card.tsx';
import { sendAnswer, type Answer, type SendResult } from './send-answer.ts';
import { Scope } from './scope.tsx';
import { SendButton } from './send-button.tsx';
import { SoFar } from './so-far.tsx';
import { Tried } from './tried.tsx';

interface CardOf {
  card: Card;
  onAnswered: () => void;
  onStale: () => void;
}

/** A question: the problem, what was tried, what is left half-done, the exact action, what can be done. */
export function DecisionCard({ card, onAnswered, onStale }: CardOf) {
  const [result, setResult] = useState<{ result: SendResult; at: number }>();
  const [sending, setSending] = useState(false);
  const send = async (answer: Answer): Promise<void> => {
    setSending(true);
    announce('Sending the answer');
    const sent = await sendAnswer(card, answer);
    setSending(false);
    setResult({ result: sent, at: Date.now() });
    if (sent.kind === 'taken' || sent.kind === 'sent') {
      const label = optionOf(card, answer.option)?.label ?? answer.option;
      showToast(
        sent.kind === 'taken' ? `Answered: ${label}` : `Sent: ${label}. The task reads it when a worker is there.`,
      );
      onAnswered();
    }
    if (sent.kind === 'late') onStale();
  };
  const late = result?.result.kind === 'late' ? (result.result.answer ?? card.answer) : undefined;
  const answer = late ?? card.answer;
  useKeys({ d: () => navigate(`${hrefOf.task(card.taskId)}?tab=changes`) });
  if (answer !== undefined)
    return (
      <article class="card sheet">
        <Head card={card} />
        <div class="body">
          <Answered
            card={card}
            answer={answer}
            lateMs={late === undefined || result === undefined ? null : result.at - Date.parse(answer.at)}
          />
          <Facts card={card} />
        </div>
        <footer>
          <a href="/">What else needs you</a>
        </footer>
      </article>
    );
  if (card.kind === 'plan' && card.stalled !== true)
    return <PlanCard card={card} sending={sending} result={result?.result} onSend={send} head={<Head card={card} />} />;
  return <OpenCard card={card} sending={sending} result={result?.result} onSend={send} />;
}

interface OpenOf {
  card: Card;
  sending: boolean;
  result: SendResult | undefined;
  onSend: (answer: Answer) => Promise<void>;
}

function OpenCard({ card, sending, result, onSend }: OpenOf) {
  const draft = useDraft(card);
  const send = (): void => void onSend(buildAnswer(card, draft.value));
  return (
    <article class="card sheet">
      <Head card={card} />
      <div class="body">
        <Facts card={card} />
        <Options card={card} draft={draft} />
        {result?.kind === 'refused' ? <Failure error={result.error} /> : null}
        {result?.kind === 'no-worker' ? (
          <NoWorker
            error={result.error}
            onSend={() => void onSend({ ...buildAnswer(card, draft.value), delivery: 'signal' })}
          />
        ) : null}
      </div>
      <footer>
        <Scope card={card} draft={draft} />
        {mayDecide.value ? (
          <SendButton card={card} draft={draft.value} sending={sending} onSend={send} />
        ) : (
          <span class="quiet">You may look, not answer.</span>
        )}
      </footer>
    </article>
  );
}

function buildAnswer(card: Card, draft: Draft): Answer {
  const option = optionOf(card, draft.option);
  if (option === undefined) throw new Error('no option is chosen');
  const value = readValue(card, draft);
  const need = textNeed(card, option);
  return {
    option: option.id,
    ...(need === null || draft.text.trim() === '' ? {} : { instruction: draft.text.trim() }),
    ...(value.ok && value.value !== undefined ? { value: value.value } : {}),
    ...(draft.forGood ? { scope: 'signature' } : {}),
  };
}

function Head({ card }: { card: Card }) {
  const { icon, word } = signOfQuestion(card);
  // Beside the list on the first page the list's own title is the first heading.
  const Title = place.value.page === 'decision' ? 'h1' : 'h2';
  useEffect(() => announce(card.problem), [card.id]);
  return (
    <header>
      <a class="back" href="/">
        ‹ All questions
      </a>
      <div class="facts">
        <Tag tone="ask" icon={icon}>
          {word}
        </Tag>
        {card.subtask === null ? null : <span>{card.subtask}</span>}
        <span>
          since {formatClock(card.openedAt)},{' '}
          {card.deadline === null ? 'no deadline' : `answers itself at ${formatClock(card.deadline)}`}
        </span>
      </div>
      <Title>{card.problem}</Title>
      <div class="facts">
        <a class="people" href={hrefOf.task(card.taskId)}>
          {card.goal}
        </a>
        <InProject card={card} />
        <Behind card={card} />
      </div>
    </header>
  );
}

function InProject({ card: { taskId } }: { card: Card }) {
  const project = projectOf(taskId);
  return project === null ? null : <a href={hrefOf.project(project)}>{project}</a>;
}

/** Subtasks that wait behind this one. */
function Behind({ card }: { card: Card }) {
  const branch = card.options
    .find(({ id }) => id === 'skip-branch')
    ?.affects?.skips.filter((id) => id !== card.subtask);
  if (branch === undefined || branch.length === 0) return null;
  return (
    <span>
      {formatList(branch)} {branch.length === 1 ? 'waits' : 'wait'} for it
    </span>
  );
}

/** All that a person should know before choosing. */
function Facts({ card }: { card: Card }) {
  const action = 'action' in card ? card.action : undefined;
  const call = 'call' in card ? card.call : null;
  const conversation =
    call === null || card.subtask === null ? null : `${hrefOf.attempt(card.taskId, card.subtask)}&view=conversation`;
  return (
    <>
      {card.kind === 'question' ? <Asks card={card} /> : null}
      {action === undefined ? null : (
        <>
          <Exact action={action} check={'check' in card} once={call !== null} />
          <Why action={action} conversation={conversation} />
        </>
      )}
      <Tried card={card} />
      <LeftFiles card={card} />
      {card.kind === 'approval' ? (
        <SoFar task={card.taskId} subtask={card.subtask} done={action === undefined} />
      ) : null}
      {'score' in card ? (
        <p class="small quiet">How sure the result is: {Math.round(card.score * 100)} of 100.</p>
      ) : null}
      {card.kind === 'budget' ? <Budget card={card} /> : null}
    </>
  );
}

function Asks({ card }: { card: Extract<Card, { kind: 'question' }> }) {
  const { asks } = card;
  if (asks.kind === 'question')
    return asks.question === card.problem ? null : (
      <div>
        <div class="label">It asks</div>
        <p class="said">{asks.question}</p>
      </div>
    );
  return (
    <div>
      <div class="label">Nobody knows whether this happened</div>
      <div class="exact">
        <pre tabIndex={0}>
          <code>{asks.action}</code>
        </pre>
        <div class="under">
          <span>{asks.tool}</span>
          <span>{asks.evidence}</span>
        </div>
      </div>
    </div>
  );
}
