import { at, getText, withQuery } from '../api/call.ts';
import { Failure } from '../parts/failure.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { mostLines, parsePatch, type FilePatch, type PatchLine } from './parse-patch.ts';

interface Shown {
  task: string;
  subtask: string | null;
  mostFiles?: number;
}

/** The changes of a task or a subtask as a diff. */
export function DiffView({ task, subtask, mostFiles = Infinity }: Shown) {
  const { value, error } = useLoaded(
    () => getText(withQuery(`/tasks${at(task)}/diff`, { subtask }), 'text/x-diff').then(parsePatch),
    [task, subtask],
  );
  if (error !== undefined) return <Failure error={error} />;
  if (value === undefined) return <p class="quiet small">Reading the changes…</p>;
  if (value.files.length === 0) return <p class="quiet small">No text was changed.</p>;
  return (
    <>
      {value.files.slice(0, mostFiles).map((file) => (
        <PatchOfFile key={file.path} file={file} />
      ))}
      {value.cut ? <p class="quiet small">Only the first {mostLines} lines are shown.</p> : null}
    </>
  );
}

function PatchOfFile({ file: { path, lines, added, removed } }: { file: FilePatch }) {
  return (
    <details class="diff" open id={`file-${path}`}>
      <summary class="name">
        <span>{path}</span>
        <span>
          <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
        </span>
      </summary>
      <ol>
        {lines.map((line) => (
          <Line line={line} />
        ))}
      </ol>
    </details>
  );
}

const marks = { add: '+', del: '−', same: '', hunk: '' } as const;
const words = { add: 'added', del: 'removed', same: '', hunk: '' } as const;

function Line({ line: { kind, number, text } }: { line: PatchLine }) {
  return (
    <li class={kind === 'same' ? undefined : kind}>
      <b>{number}</b>
      <span>
        <span aria-hidden="true">{marks[kind]}</span>
        {words[kind] === '' ? null : <span class="sr">{words[kind]}</span>}
      </span>
      <span>{text}</span>
    </li>
  );
}
