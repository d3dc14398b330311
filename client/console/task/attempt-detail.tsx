import type { AttemptView } from '../api/wire.ts';
import { hrefWith, query } from '../core/router.ts';
import { now } from '../live/clock.ts';
import { formatCount, formatNumber, formatSpan, formatUsd } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Conversation } from './conversation.tsx';
import { Output } from './output.tsx';
import { Votes } from './votes.tsx';

/** One attempt: how it went, what checked it, what it printed and said. */
export function AttemptDetail({ task, attempt }: { task: string; attempt: AttemptView }) {
  const { subtask, attempt: number, transcriptRef, modelCalls, outcome } = attempt;
  // A conversation is kept when an execution of the attempt ends: until then its words are in the output, as they come.
  const hasTalk = transcriptRef !== null || (modelCalls > 0 && outcome !== 'running');
  const view = hasTalk ? (query.value.get('view') ?? 'conversation') : 'output';
  return (
    <>
      <h2>
        {subtask}, attempt {number} <small>{describe(attempt)}</small>
      </h2>
      {attempt.judgement === undefined ? null : <Votes judgement={attempt.judgement} />}
      <div class="pair">
        <Checks attempt={attempt} />
        <Reason attempt={attempt} />
      </div>
      <nav class="chips" aria-label="What to read">
        {hasTalk ? <ViewLink name="conversation" label="Conversation" here={view} /> : null}
        <ViewLink name="output" label="Output" here={view} />
      </nav>
      {view === 'conversation' ? (
        <Conversation task={task} attempt={attempt} />
      ) : (
        <Output task={task} attempt={attempt} />
      )}
    </>
  );
}

function ViewLink({ name, label, here }: { name: string; label: string; here: string }) {
  return (
    <a class="chip" href={hrefWith({ view: name })} aria-current={name === here ? 'true' : undefined}>
      {label}
    </a>
  );
}

function describe(attempt: AttemptView): string {
  const { tier, thinking, startedAt, endedAt, modelCalls, toolCalls, costUsd, tokens, confidence, outcome } = attempt;
  const took = (endedAt === null ? now.value : Date.parse(endedAt)) - Date.parse(startedAt);
  return [
    outcome,
    `tier ${tier}${thinking ? ', thinking' : ''}`,
    formatSpan(took),
    ...(modelCalls > 0 ? [formatCount(modelCalls, 'call')] : []),
    ...(toolCalls > 0 ? [formatCount(toolCalls, 'tool call')] : []),
    ...(tokens > 0 ? [`${formatNumber(tokens)} tokens`] : []),
    ...(costUsd !== null && costUsd > 0 ? [`${formatUsd(costUsd)} USD`] : []),
    ...(confidence === undefined ? [] : [`sure ${confidence.toFixed(2)}`]),
  ].join(' · ');
}

function Checks({ attempt: { verify, verdict, filesAffected } }: { attempt: AttemptView }) {
  const files = filesAffected.filter(({ state }) => state !== 'unchanged');
  return (
    <div>
      <h3 class="label">Checks</h3>
      {verify.length === 0 ? (
        <p class="small quiet">{verdict === 'unchecked' ? 'Nothing checked it.' : 'No command checked it.'}</p>
      ) : null}
      <ul class="checks">
        {verify.map(({ command, name, exit, summary }) => (
          <li>
            <Icon name={exit === 0 ? 'ok' : 'no'} tone={exit === 0 ? 'done' : 'fail'} />
            <span>
              <span class="sr">{exit === 0 ? 'passed: ' : 'failed: '}</span>
              {name === undefined ? <code>{command}</code> : <span title={command}>{name}</span>}
              {exit === 0 || summary === '' ? null : <span class="quiet"> {summary}</span>}
            </span>
          </li>
        ))}
      </ul>
      {files.length === 0 ? null : (
        <>
          <h3 class="label">Files</h3>
          <ul class="files">
            {files.slice(0, 12).map(({ path, state }) => (
              <li>
                <code>{path}</code> <span class="quiet">{state}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Reason({ attempt }: { attempt: AttemptView }) {
  const { outcome, summary, rootCause, suggestedFix, type, waits, reruns, details } = attempt;
  if (outcome === 'running') return <div />;
  return (
    <div>
      <h3 class="label">
        {outcome === 'failed' ? `Why it failed${type === null ? '' : `: ${type}`}` : 'In its own words'}
      </h3>
      <p class="small">{summary || (outcome === 'failed' ? 'No reason was given.' : 'It said nothing.')}</p>
      {rootCause === '' || rootCause === summary ? null : <p class="small quiet">Cause: {rootCause}</p>}
      {suggestedFix === '' ? null : <p class="small quiet">Next: {suggestedFix}</p>}
      {reruns > 0 ? <p class="small quiet">Run {reruns + 1} times: a worker died.</p> : null}
      {waits.map(({ ms, reason }) => (
        <p class="small quiet">
          Waited {ms > 0 ? formatSpan(ms) : ''}: {reason}
        </p>
      ))}
      {details === '' || outcome !== 'failed' ? null : (
        <details>
          <summary class="small">Details</summary>
          <pre class="plain">{details}</pre>
        </details>
      )}
    </div>
  );
}
