import { createHash } from 'node:crypto';
import { classifyEnd } from '../../domain/report/attempts.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { Report } from '../../domain/report/report.ts';
import type { SubtaskView } from '../../domain/views/task-status.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { barChart } from './bars.ts';
import { lines, markup, nothing, trusted, type Markup } from '../html/markup.ts';
import { style } from '../html/style.ts';
import { formatSpan, summaryTable } from './summary.ts';
import { headName, isFigures, rungRows, tallyRows, type ReportTable } from './table.ts';
import type { Uncovered } from '../workspace/uncovered.ts';
import { reportTables } from './tables.ts';
import { outcomeMarks, timeline } from './timeline.ts';
import { buildTiles } from './tiles.ts';
import { formatTime } from './report-text.ts';

/** No script, no network, no style but the one of this page: what a task's texts may try has nothing to work with. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The report as one HTML file that needs nothing else, on screen and on paper. */
export function reportPage(
  report: Report,
  subtasks: readonly SubtaskView[],
  options: { now: number; uncovered?: Uncovered },
): string {
  const heading = clip(oneLine(report.goal), clientLimits.report.heading);
  const tables = reportTables(report, subtasks, options.uncovered).filter(({ drawn }) => !drawn);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${heading} – Heddle report</title>
<style>${trusted(style)}</style>
</head>
<body>
${head(report, heading)}
<main>
${buildTiles(report)}
${timelineSection(report, options.now)}
${charts(report)}
${summary(summaryTable(report))}
${tables.map(tableSection)}
</main>
<footer><p>Written ${formatTime(new Date(options.now).toISOString())} by heddle report. All figures and records: heddle report ${report.id} --json</p></footer>
</body>
</html>
`;
  return page.html;
}

function head(report: Report, heading: string): Markup {
  const project = report.project === null ? '' : `, project ${report.project}`;
  const whole = heading === report.goal ? nothing : markup`<p class="goal">${lines(report.goal)}</p>`;
  return markup`<header>
<p class="kicker">Heddle report: task ${report.id}${project}</p>
<h1>${heading}</h1>
${whole}
<p class="outcome"><span class="state state-${report.state}">${report.state}</span>${report.summary}</p>
<p class="span">${formatSpan(report)}</p>
</header>`;
}

function timelineSection(report: Report, now: number): Markup {
  const drawn = timeline(report, now);
  if (drawn === undefined) return markup`<section><h2>Timeline</h2><p class="note">Nothing has run yet.</p></section>`;
  return markup`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<figure><div class="scroll" tabindex="0" role="region" aria-label="Timeline of attempts">${drawn.svg}</div></figure>
<ul class="legend">${listOutcomes(report).map(legendEntry)}
<li>The number is the rung.</li>
${report.decisions.some(({ subtask }) => subtask !== null) ? askedEntry : nothing}</ul>
${drawn.note === '' ? nothing : markup`<p class="note">${drawn.note}</p>`}
</section>`;
}

const askedEntry = markup`<li><svg viewBox="0 0 14 10" aria-hidden="true"><line class="asked" x1="0" y1="5" x2="14" y2="5"/></svg>waits for a person</li>`;

const listOutcomes = ({ records }: Report): ReturnType<typeof classifyEnd>[] =>
  (['passed', 'unchecked', 'failed', 'cancelled', 'running'] as const).filter((outcome) =>
    records.some((record) => classifyEnd(record) === outcome),
  );

const legendEntry = (outcome: ReturnType<typeof classifyEnd>): Markup =>
  markup`<li><svg viewBox="0 0 14 10" aria-hidden="true"><rect class="${outcome}" width="14" height="10" rx="2"/></svg>${outcomeMarks[outcome]} ${outcome}</li>`;

function charts({ failuresByType, recoveryByRung }: Report): Markup {
  const types = tallyRows(failuresByType);
  if (types.length === 0) return nothing;
  const rungs = rungRows(recoveryByRung).map(([rung, count]): [string, number] => [`rung ${rung}`, count]);
  const recovery =
    rungs.length === 0
      ? markup`<p class="note">No subtask was completed after a failure.</p>`
      : barChart({ id: 'rungs', title: 'Recovered subtasks by rung', className: 'passed', bars: rungs });
  return markup`<div class="pair">
<section><h2>Failures by type</h2><figure>${barChart({ id: 'types', title: 'Failed attempts by type', className: 'failed', bars: types })}</figure></section>
<section><h2>Recovery by rung</h2><figure>${recovery}</figure></section>
</div>`;
}

function summary({ title, rows }: ReportTable): Markup {
  const entries = rows.map(([name = '', value = '']) => {
    const part = name.startsWith('of th') ? 'part' : 'whole';
    return markup`<div class="${part}"><dt>${name}</dt><dd>${value}</dd></div>`;
  });
  return markup`<section><h2>${title}</h2><div class="summary"><dl>${entries}</dl></div></section>`;
}

function tableSection({ title, head: names, rows, note }: ReportTable): Markup {
  const kinds = names.map((name) => (isFigures(name) ? 'figures' : 'words'));
  const body = rows.map(
    ([first = '', ...rest]) =>
      markup`<tr><th scope="row">${first}</th>${rest.map((cell, index) => markup`<td class="${kinds[index + 1] ?? ''}">${cell}</td>`)}</tr>`,
  );
  return markup`<section><h2>${title}</h2>
${note === '' ? nothing : markup`<p class="note">${note}</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${names.map((name, index) => markup`<th scope="col" class="${kinds[index] ?? ''}">${headName(name)}</th>`)}</tr></thead>
<tbody>${body}</tbody>
</table></div></section>`;
}
