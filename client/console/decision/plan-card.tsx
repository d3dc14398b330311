import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { at, get } from '../api/call.ts';
import type { Card, PlanFile } from '../api/wire.ts';
import { useKeys } from '../core/keys.ts';
import { mayDecide } from '../core/session.ts';
import { describeSubtask } from '../plan/describe-subtask.ts';
import { EditSubtask } from '../plan/edit-plan.tsx';
import { PlanGraph, PlanSteps } from '../plan/plan-graph.tsx';
import { Problems } from '../plan/problems.tsx';
import { usePlanCheck } from '../plan/use-check.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount, formatNumber, formatUsd } from '../parts/format.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { NoWorker } from './no-worker.tsx';
import { optionOf, useDraft, type Draft } from './draft.ts';
import { Options } from './options.tsx';
import type { Answer, SendResult } from './send-answer.ts';
import { SendButton } from './send-button.tsx';

interface PlanCardOf {
  card: Card;
  sending: boolean;
  result: SendResult | undefined;
  head: ComponentChildren;
  onSend: (answer: Answer) => Promise<void>;
}

/** A plan before it runs: to be read, changed in place, or sent back. */
export function PlanCard({ card, sending, result, head, onSend }: PlanCardOf) {
  const { value: plan, error } = useLoaded(
    (signal) => get<PlanFile>(`/tasks${at(card.taskId)}/plan?form=file`, signal),
    [card.taskId, card.id],
  );
  const [edited, setEdited] = useState<PlanFile>();
  const draft = useDraft(card);
  const mayEdit = mayDecide.value && optionOf(card, 'edit') !== undefined;
  const { problems } = usePlanCheck(edited, edited !== undefined);
  const blocked = draft.value.option === 'edit' ? whyNot(edited, problems) : null;
  const answer = buildAnswer(draft.value, edited);
  const change = (next: PlanFile | undefined): void => {
    setEdited(next);
    draft.change({
      option: next === undefined ? 'approve' : 'edit',
      value: next === undefined ? '' : JSON.stringify(next),
    });
  };
  return (
    <article class="card sheet">
      {head}
      <div class="body">
        <Failure error={error} />
        {plan === undefined ? null : (
          <PlanEditor
            plan={edited ?? plan}
            card={card}
            isEdited={edited !== undefined}
            mayEdit={mayEdit}
            onChange={change}
          />
        )}
        {problems === null || edited === undefined ? null : <Problems problems={problems} />}
        <Options card={card} draft={draft} />
        {result?.kind === 'refused' ? <Failure error={result.error} /> : null}
        {result?.kind === 'no-worker' && answer !== null ? (
          <NoWorker error={result.error} onSend={() => void onSend({ ...answer, delivery: 'signal' })} />
        ) : null}
      </div>
      <footer>
        <span class="quiet">Nothing has run.</span>
        {mayDecide.value ? (
          <SendButton
            card={card}
            draft={draft.value}
            sending={sending}
            blocked={blocked}
            onSend={() => answer === null || void onSend(answer)}
          />
        ) : (
          <span class="quiet">You may look, not answer.</span>
        )}
      </footer>
    </article>
  );
}

function buildAnswer({ option, text }: Draft, edited: PlanFile | undefined): Answer | null {
  if (option === null) return null;
  const instruction = text.trim() === '' || option === 'approve' ? {} : { instruction: text.trim() };
  return option === 'edit' ? { option, value: edited, ...instruction } : { option, ...instruction };
}

function whyNot(edited: PlanFile | undefined, problems: readonly unknown[] | null): string | null {
  if (edited === undefined) return 'Change the plan above first';
  if (problems === null) return 'Checking your version…';
  return problems.length === 0 ? null : `Run my version: ${formatCount(problems.length, 'problem')} left`;
}

interface Editor {
  plan: PlanFile;
  card: Card;
  isEdited: boolean;
  mayEdit: boolean;
  onChange: (plan: PlanFile | undefined) => void;
}

function PlanEditor({ plan, card, isEdited, mayEdit, onChange }: Editor) {
  const [chosen, setChosen] = useState<string | null>(null);
  const editor = useRef<HTMLDivElement>(null);
  const shown = chosen ?? plan.subtasks[0]?.id ?? null;
  const edit = (): void => {
    setChosen(shown);
    requestAnimationFrame(() => editor.current?.querySelector('textarea')?.focus());
  };
  useKeys(mayEdit ? { e: edit } : {});
  const nodes = plan.subtasks.map(describeSubtask);
  const subtask = plan.subtasks.find(({ id }) => id === chosen);
  return (
    <div ref={editor}>
      <div class="label">
        Plan of {formatCount(plan.subtasks.length, 'subtask')}
        <Estimate card={card} />
        <a href={`/api/v1/tasks/${encodeURIComponent(card.taskId)}/plan?form=file`} target="_blank" rel="noreferrer">
          as text
        </a>
      </div>
      <PlanGraph nodes={nodes} chosen={chosen} onChoose={setChosen} />
      <PlanSteps nodes={nodes} chosen={chosen} onChoose={setChosen} />
      {subtask === undefined || chosen === null ? (
        <p class="small quiet">
          {mayEdit ? 'Choose a subtask to read or change it, or press e.' : 'Choose a subtask to read it.'}
        </p>
      ) : mayEdit ? (
        <EditSubtask key={chosen} plan={plan} chosen={chosen} onChange={onChange} onChoose={setChosen} />
      ) : (
        <p class="said">{subtask.description}</p>
      )}
      {isEdited ? (
        <button class="button" type="button" onClick={() => onChange(undefined)}>
          Undo my changes
        </button>
      ) : null}
    </div>
  );
}

/** The planner's estimate. */
function Estimate({ card }: { card: Card }) {
  if (card.kind !== 'plan' || card.estimate === undefined) return null;
  const { costUsd, tokens } = card.estimate;
  return (
    <span class="aside">
      a guess: {formatUsd(costUsd)} USD, {formatNumber(tokens)} tokens
    </span>
  );
}
