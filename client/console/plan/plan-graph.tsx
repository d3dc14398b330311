import { Icon } from '../parts/icon.tsx';
import type { Tone } from '../parts/state.ts';
import { layOut, type Node, type Placed } from './layout.ts';

const box = { width: 136, height: 48, across: 176, down: 64, pad: 2 } as const;
/** A wide plan is drawn smaller, down to this; a wider one is scrolled. */
const leastScale = 0.72;
/** Characters that fit into a box. */
const mostChars = { id: 15, note: 20 } as const;

export interface GraphNode extends Node {
  note: string;
  tone?: Tone | undefined;
}

interface Graph {
  nodes: readonly GraphNode[];
  chosen: string | null;
  onChoose: (id: string) => void;
}

/** The plan as threads from left to right. Where the room is narrow, a list says the same. */
export function PlanGraph({ nodes, chosen, onChoose }: Graph) {
  const { placed, columns, rows } = layOut(nodes);
  const width = columns * box.across - (box.across - box.width) + 2 * box.pad;
  const height = rows * box.down - (box.down - box.height) + 2 * box.pad;
  return (
    <div class="scroll graph-room" tabIndex={0} role="group" aria-label="Plan as a graph">
      <svg
        class="graph"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        style={{ minWidth: `${Math.round(width * leastScale)}px` }}
      >
        {nodes.map((node) => (
          <Threads key={node.id} node={node} placed={placed} chosen={chosen} />
        ))}
        {nodes.map((node) => (
          <Box
            key={node.id}
            node={node}
            place={placed.get(node.id)}
            isChosen={node.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </svg>
    </div>
  );
}

const left = ({ column }: Placed): number => box.pad + column * box.across;
const top = ({ row }: Placed): number => box.pad + row * box.down;

function Threads({
  node,
  placed,
  chosen,
}: {
  node: GraphNode;
  placed: ReadonlyMap<string, Placed>;
  chosen: string | null;
}) {
  const to = placed.get(node.id);
  if (to === undefined) return null;
  const paths = node.dependsOn.flatMap((before) => {
    const from = placed.get(before);
    if (from === undefined) return [];
    const [x1, y1] = [left(from) + box.width, top(from) + box.height / 2];
    const [x2, y2] = [left(to), top(to) + box.height / 2];
    const bend = Math.max(14, (x2 - x1) / 2);
    const hot = chosen !== null && (before === chosen || node.id === chosen);
    return [
      <path class={hot ? 'hot' : undefined} d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />,
    ];
  });
  return <>{paths}</>;
}

interface BoxOf {
  node: GraphNode;
  place: Placed | undefined;
  isChosen: boolean;
  onChoose: (id: string) => void;
}

function Box({ node: { id, note, tone }, place, isChosen, onChoose }: BoxOf) {
  if (place === undefined) return null;
  const [x, y] = [left(place), top(place)];
  const choose = (): void => onChoose(id);
  return (
    <g
      class={`node ${isChosen ? 'on' : ''} ${tone === undefined ? '' : `is-${tone}`}`}
      role="button"
      tabindex={0}
      aria-pressed={isChosen}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        choose();
      }}
    >
      <rect x={x} y={y} width={box.width} height={box.height} rx={6} />
      <text x={x + 12} y={y + 20}>
        {clip(id, mostChars.id)}
      </text>
      <text x={x + 12} y={y + 38}>
        {clip(note, mostChars.note)}
      </text>
    </g>
  );
}

const clip = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** The same as a list. */
export function PlanSteps({ nodes, chosen, onChoose }: Graph) {
  return (
    <ol class="steps">
      {nodes.map(({ id, dependsOn, note, tone }, index) => (
        <li key={id}>
          <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            <span>{index + 1}</span>
            <b>{id}</b>
            <span class="quiet">
              {tone === undefined ? null : <Icon name={icons[tone]} tone={tone} />} {note}
              {dependsOn.length === 0 ? '' : `, after ${dependsOn.join(', ')}`}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

const icons = { run: 'run', ask: 'ask', done: 'ok', fail: 'no', idle: 'idle' } as const;
