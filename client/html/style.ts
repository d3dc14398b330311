/** Colours by their use: text on these has a contrast of at least 4.5 to 1. */
export const light = {
  page: '#f6f7f9',
  card: '#ffffff',
  text: '#1b1f24',
  muted: '#57606b',
  line: '#d9dee4',
  stripe: '#f4f6f8',
  passed: '#1a7f4b',
  unchecked: '#7a5f00',
  failed: '#bf3228',
  cancelled: '#66707c',
  running: '#2560a4',
  asked: '#9a6100',
  inside: '#ffffff',
} as const;

export const dark = {
  page: '#111417',
  card: '#191d22',
  text: '#e7eaee',
  muted: '#a3adb8',
  line: '#323a43',
  stripe: '#1e2329',
  passed: '#52c48f',
  unchecked: '#d3bd5a',
  failed: '#ff8b80',
  cancelled: '#98a2ad',
  running: '#79b2f2',
  asked: '#e9b44c',
  inside: '#10151a',
} as const;

const variables = (colours: Record<keyof typeof light, string>): string =>
  Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The whole style of the page. Nothing in it leads to another file. */
export const style = `
:root{color-scheme:light dark;${variables(light)}}
@media (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:36px}
.kicker{margin:0 0 6px;color:var(--muted);font-size:13px}
h1{margin:0;font-size:27px;line-height:1.25;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 12px;font-size:17px;line-height:1.3;font-weight:650}
.goal{margin:12px 0 0;padding-left:14px;border-left:3px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere;color:var(--muted)}
.outcome{margin:14px 0 0;overflow-wrap:anywhere}
.state{display:inline-block;margin-right:8px;padding:1px 10px;border-radius:10px;background:var(--cancelled);color:var(--inside);font-size:13px;font-weight:600}
.state-completed{background:var(--passed)}
.state-failed{background:var(--failed)}
.state-running,.state-planning{background:var(--running)}
.state-waiting,.state-paused{background:var(--asked)}
.span{margin:4px 0 0;color:var(--muted);font-size:13px}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;margin:24px 0;padding:0}
.tile,section{background:var(--card);border:1px solid var(--line);border-radius:8px}
.tile{padding:12px 16px}
.tile dt{color:var(--muted);font-size:13px}
.tile dd{margin:0}
.tile .value{font-size:22px;line-height:1.3;font-weight:650;font-variant-numeric:tabular-nums}
.tile .more{color:var(--muted);font-size:13px}
section{margin:0 0 16px;padding:18px 20px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px}
figure{margin:0}
.note{margin:0 0 10px;color:var(--muted);font-size:13px}
figure+.note,.legend+.note{margin:8px 0 0}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:2px solid var(--running);outline-offset:2px}
table{width:100%;border-collapse:collapse;font-size:14px}
th,td{padding:6px 18px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
td{min-width:3em;max-width:30em}
tr>:last-child{padding-right:0}
tbody tr:last-child>*{border-bottom:0}
thead th{border-bottom:1px solid var(--muted);color:var(--muted);font-size:13px;font-weight:600;white-space:nowrap}
tbody th{min-width:8em;font-weight:600}
.figures{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.summary{columns:2;column-gap:40px}
.summary div{display:flex;justify-content:space-between;gap:16px;padding:5px 0;border-bottom:1px solid var(--line);break-inside:avoid}
.summary dl{margin:0}
.summary dd{margin:0;text-align:right;font-weight:600;font-variant-numeric:tabular-nums}
.summary .part dt{padding-left:16px;color:var(--muted)}
.summary .part dd{font-weight:400}
svg{display:block;width:100%;height:auto;font-family:inherit}
.timeline{min-width:720px}
.bars{max-width:520px}
svg text{fill:var(--text);font-size:12px}
svg .axis{fill:var(--muted);font-size:11px;text-anchor:middle}
svg .figure{font-weight:600}
svg .inside{fill:var(--inside);font-size:11px;font-weight:600;text-anchor:middle}
svg .beside{fill:var(--muted);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}
.stripe{fill:var(--stripe)}
.grid{stroke:var(--line)}
.hatch{fill:var(--line)}
.asked{stroke:var(--asked);stroke-width:2;stroke-dasharray:3 3}
.passed rect,rect.passed{fill:var(--passed)}
.unchecked rect,rect.unchecked{fill:var(--unchecked)}
.failed rect,rect.failed{fill:var(--failed)}
.cancelled rect,rect.cancelled{fill:var(--cancelled)}
.running rect,rect.running{fill:var(--running)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:10px 0 0;padding:0;list-style:none;color:var(--muted);font-size:13px}
.legend svg{display:inline-block;width:14px;height:10px;margin-right:6px;vertical-align:baseline}
footer{padding-top:8px;padding-bottom:36px;color:var(--muted);font-size:13px}
@media (max-width:720px){.tiles{grid-template-columns:1fr 1fr}.pair{grid-template-columns:1fr}.summary{columns:1}main,header,footer{padding-left:14px;padding-right:14px}}
@page{margin:14mm}
@media print{
:root{color-scheme:light;${variables({ ...light, page: '#ffffff' })}}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:10.5pt}
main,header,footer{max-width:none;padding:0}
section{padding:0;border:0;border-radius:0;margin:0 0 20px}
.tile{break-inside:avoid;padding:8px 12px}
.tiles{grid-template-columns:repeat(4,1fr)}
.pair{grid-template-columns:1fr 1fr}
.summary{columns:2}
h1,h2,.note,thead{break-after:avoid}
h1{font-size:20pt}
table,.summary{font-size:9pt}
th,td{padding-right:10px}
thead{display:table-header-group}
tr,figure,.legend,.pair{break-inside:avoid}
.scroll{overflow:visible}
.timeline{min-width:0}
}
`;
