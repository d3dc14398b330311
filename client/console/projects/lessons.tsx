import type { LessonView } from '../../../domain/types/basic/lessons.ts';
import { useState } from 'preact/hooks';
import { at, send } from '../api/call.ts';
import { mayOperate } from '../core/session.ts';
import { Failure } from '../parts/failure.tsx';
import { formatCount } from '../parts/format.ts';
import { Tag } from '../parts/tag.tsx';

interface LessonsPart {
  project: string;
  lessons: readonly LessonView[];
  onChanged: () => void;
}

/** Sentences that later prompts show, and how the attempts ended that were shown them. */
export function Lessons({ project, lessons, onChanged }: LessonsPart) {
  const [error, setError] = useState<unknown>();
  const run = (work: Promise<unknown>): void => {
    work.then(onChanged, setError);
  };
  return (
    <section class="panel sheet">
      <h2>
        Lessons <small>{lessons.length === 0 ? '' : formatCount(lessons.length, 'lesson')}</small>
      </h2>
      {lessons.length === 0 ? <p class="quiet">None was learned yet.</p> : null}
      <ul class="rows">
        {[...lessons].reverse().map((lesson) => (
          <LessonRow
            key={lesson.id}
            lesson={lesson}
            onForget={() => run(send('DELETE', `/projects${at(project)}/signatures${at(lesson.id)}`))}
          />
        ))}
      </ul>
      <Failure error={error} />
    </section>
  );
}

function LessonRow({ lesson, onForget }: { lesson: LessonView; onForget: () => void }) {
  const { text, by, state, shown, helped, hurt, why } = lesson;
  return (
    <li class="memory-row">
      <Tag tone={state === 'active' ? 'done' : 'idle'}>{state}</Tag>
      <span>
        <span class={by === 'person' ? 'people' : ''}>{text}</span>
        <br />
        <span class="small quiet">
          {by === 'person' ? 'by a person' : 'by a model'}, shown {formatCount(shown, 'time')}, helped {helped}, hurt{' '}
          {hurt}
          {why === undefined ? '' : `: ${why}`}
        </span>
      </span>
      {mayOperate.value ? (
        <button class="button plain stop" type="button" onClick={onForget}>
          Forget
        </button>
      ) : null}
    </li>
  );
}
