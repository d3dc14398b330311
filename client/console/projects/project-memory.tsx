import type { LessonView } from '../../../domain/types/basic/lessons.ts';
import type { RememberedSignature } from '../../../domain/types/basic/memory.ts';
import { at, get, send } from '../api/call.ts';
import { useState } from 'preact/hooks';
import { mayOperate } from '../core/session.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount } from '../parts/format.ts';
import { Lessons } from './lessons.tsx';
import { Tag } from '../parts/tag.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

interface Band {
  from: number;
  to: number;
  answers: number;
  approved: number;
}

interface Memory {
  project: string;
  signatures: RememberedSignature[];
  answers: { signature: string; option: string; instruction?: string; by?: string }[];
  lessons: LessonView[];
  calibration: Band[];
}

/** The memory of a project: failures and what fixed them, answers for good, and how right confidence was. */
export function ProjectMemory({ project }: { project: string }) {
  const { value, error, reload } = useLoaded((signal) => get<Memory>(`/projects${at(project)}`, signal), [project]);
  return (
    <div class="view">
      <div class="head">
        <h1>{project}</h1>
        <a class="quiet small" href={`/tasks?project=${encodeURIComponent(project)}`}>
          Its tasks
        </a>
      </div>
      <Failure error={error} />
      {value === undefined ? null : (
        <>
          <Failures memory={value} onChanged={reload} />
          <Lessons project={project} lessons={value.lessons} onChanged={reload} />
          <Answers memory={value} onChanged={reload} />
          <Calibration bands={value.calibration} />
        </>
      )}
    </div>
  );
}

interface Part {
  memory: Memory;
  onChanged: () => void;
}

function Failures({ memory, onChanged }: Part) {
  const { signatures } = memory;
  const fixed = signatures.filter(({ fixedAtRung }) => fixedAtRung !== null).length;
  return (
    <section class="panel sheet">
      <h2>
        Known failures{' '}
        <small>{signatures.length === 0 ? '' : `${formatCount(signatures.length, 'failure')}, ${fixed} fixed`}</small>
      </h2>
      {signatures.length === 0 ? <p class="quiet">None is known.</p> : null}
      <ul class="rows">
        {signatures.map((row) => (
          <FailureRow key={row.signature} project={memory.project} row={row} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  );
}

function FailureRow({ project, row, onChanged }: { project: string; row: RememberedSignature; onChanged: () => void }) {
  const [hint, setHint] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const path = `/projects${at(project)}/signatures${at(row.signature)}`;
  const run = (work: Promise<unknown>): void => {
    work.then(() => {
      setHint(null);
      setError(undefined);
      onChanged();
    }, setError);
  };
  return (
    <li class="memory-row">
      <span class="tag">{formatCount(row.count, 'time')}</span>
      <span>
        <b>{row.summary}</b> <span class="quiet small">{row.type}</span>
        <br />
        <span class="small quiet">
          {row.fixedAtRung === null ? 'not fixed yet' : `fixed at rung ${row.fixedAtRung}`}
        </span>
        {hint === null ? (
          row.hint === '' ? null : (
            <span class="small people"> “{row.hint}”</span>
          )
        ) : (
          <textarea
            class="words"
            aria-label="Hint for the next attempt"
            value={hint}
            onInput={(event) => setHint(event.currentTarget.value)}
          />
        )}
        <Failure error={error} />
      </span>
      {mayOperate.value ? (
        <span class="acts">
          {hint === null ? (
            <button class="button plain" type="button" onClick={() => setHint(row.hint)}>
              {row.hint === '' ? 'Add a hint' : 'Edit the hint'}
            </button>
          ) : (
            <button class="button" type="button" onClick={() => run(send('PATCH', path, { body: { hint } }))}>
              Save
            </button>
          )}
          <button class="button plain stop" type="button" onClick={() => run(send('DELETE', path))}>
            Forget
          </button>
        </span>
      ) : null}
    </li>
  );
}

/** Answers that a person gave for good; each is taken back by forgetting its signature. */
function Answers({ memory, onChanged }: Part) {
  const [error, setError] = useState<unknown>();
  return (
    <section class="panel sheet">
      <h2>Rules, given by people for good</h2>
      {memory.answers.length === 0 ? <p class="quiet">None. An answer becomes one by “from now on”.</p> : null}
      <ul class="rows">
        {memory.answers.map(({ signature, option, instruction, by }) => (
          <li class="memory-row" key={signature}>
            <Tag tone="done">{option}</Tag>
            <span>
              <code>{signature}</code>
              {instruction === undefined ? null : <span class="people"> “{instruction}”</span>}
              {by === undefined ? null : <span class="quiet small"> {by}</span>}
            </span>
            {mayOperate.value ? (
              <button
                class="button plain stop"
                type="button"
                onClick={() =>
                  void send('DELETE', `/projects${at(memory.project)}/signatures${at(signature)}`).then(
                    onChanged,
                    setError,
                  )
                }
              >
                Take it back
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      <Failure error={error} />
    </section>
  );
}

function Calibration({ bands }: { bands: readonly Band[] }) {
  const answered = bands.filter(({ answers }) => answers > 0);
  if (answered.length === 0) return null;
  return (
    <section class="panel sheet">
      <h2>How sure, how right</h2>
      <div class="meters">
        {answered.map(({ from, to, answers, approved }) => (
          <div class="meter">
            <span>
              sure {from.toFixed(2)} to {to.toFixed(2)}
            </span>
            <span class="quiet">
              {approved} of {answers} accepted
            </span>
            <progress max={answers} value={approved} aria-label={`Accepted between ${from} and ${to}`} />
          </div>
        ))}
      </div>
    </section>
  );
}
