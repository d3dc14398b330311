import type { PlanFile, PlannedSubtask } from '../api/wire.ts';
import { nameOfCheck, readChecks } from './checks.ts';

interface Editing {
  plan: PlanFile;
  chosen: string;
  onChange: (plan: PlanFile) => void;
  onChoose: (id: string) => void;
}

/** The fields of one subtask, to be changed in place. Keys that have no field here stay as they are. */
export function EditSubtask({ plan, chosen, onChange, onChoose }: Editing) {
  const subtask = plan.subtasks.find(({ id }) => id === chosen);
  if (subtask === undefined) return null;
  const change = (part: Partial<PlannedSubtask>): void =>
    onChange({
      ...plan,
      subtasks: plan.subtasks.map((one) => (one.id === chosen ? dropEmpty({ ...one, ...part }) : one)),
    });
  const rename = (id: string): void => {
    onChange({ ...plan, subtasks: plan.subtasks.map((one) => renameIn(one, chosen, id)) });
    onChoose(id);
  };
  return (
    <div class="form" role="group" aria-label={`Subtask ${chosen}`}>
      <Line label="name">
        <input class="field" value={subtask.id} onChange={(event) => rename(event.currentTarget.value.trim())} />
      </Line>
      <Line label="what to do">
        <textarea
          class="field"
          rows={3}
          value={subtask.description}
          onInput={(event) => change({ description: event.currentTarget.value })}
        />
      </Line>
      <Line label="after">
        <List
          key={`after-${chosen}`}
          value={subtask.dependsOn}
          by={/[,\s]+/}
          joiner=", "
          onChange={(dependsOn) => change({ dependsOn })}
        />
      </Line>
      <Line label="tier">
        <select
          class="field"
          value={String(subtask.tier ?? 1)}
          onChange={(event) => change({ tier: Number(event.currentTarget.value) })}
        >
          <option value="1">1, the cheapest model</option>
          <option value="2">2</option>
          <option value="3">3, the strongest</option>
        </select>
      </Line>
      <Lists subtask={subtask} onChange={change} />
      <div class="acts">
        <button class="button" type="button" onClick={() => addSubtask({ plan, chosen, onChange, onChoose })}>
          Add a subtask after it
        </button>
        <button
          class="button stop"
          type="button"
          disabled={plan.subtasks.length < 2}
          onClick={() => removeSubtask({ plan, chosen, onChange, onChoose })}
        >
          Remove it
        </button>
      </div>
    </div>
  );
}

/** The fields of which each line is an item. */
function Lists({ subtask, onChange }: { subtask: PlannedSubtask; onChange: (part: Partial<PlannedSubtask>) => void }) {
  const { id: chosen } = subtask;
  return (
    <>
      <Line label="checked by">
        <List
          key={`verify-${chosen}`}
          mono
          value={subtask.verify?.map(nameOfCheck)}
          by={/\n+/}
          joiner={'\n'}
          onChange={(lines) => onChange({ verify: readChecks(lines, subtask.verify) })}
        />
      </Line>
      <Line label="done when">
        <List
          key={`criteria-${chosen}`}
          value={subtask.criteria}
          by={/\n+/}
          joiner={'\n'}
          onChange={(criteria) => onChange({ criteria })}
        />
      </Line>
      <Line label="files it makes">
        <List
          key={`files-${chosen}`}
          mono
          value={subtask.deliverables}
          by={/\n+/}
          joiner={'\n'}
          onChange={(deliverables) => onChange({ deliverables })}
        />
      </Line>
    </>
  );
}

function Line({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <label>
      <span>{label}</span>
      {children}
    </label>
  );
}

interface ListField {
  value: string[] | undefined;
  by: RegExp;
  joiner: string;
  mono?: boolean;
  onChange: (items: string[]) => void;
}

/** A list as text: its parts are taken when the field changes, its text stays as it is typed. */
function List({ value = [], by, joiner, mono, onChange }: ListField) {
  const read = (text: string): void =>
    onChange(
      text
        .split(by)
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );
  const text = value.join(joiner);
  return joiner === '\n' ? (
    <textarea
      class={mono === true ? 'field mono' : 'field'}
      rows={Math.max(1, value.length)}
      defaultValue={text}
      onInput={(event) => read(event.currentTarget.value)}
    />
  ) : (
    <input class="field" defaultValue={text} onInput={(event) => read(event.currentTarget.value)} />
  );
}

/** An empty list is not written: it is the default. */
const dropEmpty = (subtask: PlannedSubtask): PlannedSubtask => {
  const entries = Object.entries(subtask).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return { ...Object.fromEntries(entries), id: subtask.id, description: subtask.description };
};

function renameIn(subtask: PlannedSubtask, from: string, to: string): PlannedSubtask {
  const dependsOn = subtask.dependsOn?.map((id) => (id === from ? to : id));
  return { ...subtask, ...(subtask.id === from ? { id: to } : {}), ...(dependsOn === undefined ? {} : { dependsOn }) };
}

function addSubtask({ plan, chosen, onChange, onChoose }: Editing): void {
  const ids = new Set(plan.subtasks.map(({ id }) => id));
  let number = plan.subtasks.length + 1;
  while (ids.has(`subtask-${number}`)) number += 1;
  const id = `subtask-${number}`;
  const index = plan.subtasks.findIndex((one) => one.id === chosen) + 1;
  const added = { id, description: '', dependsOn: [chosen] };
  onChange({ ...plan, subtasks: plan.subtasks.toSpliced(index, 0, added) });
  onChoose(id);
}

/** Those that waited for it wait for what it waited for. */
function removeSubtask({ plan, chosen, onChange, onChoose }: Editing): void {
  const before = plan.subtasks.find(({ id }) => id === chosen)?.dependsOn ?? [];
  const subtasks = plan.subtasks
    .filter(({ id }) => id !== chosen)
    .map((one) =>
      one.dependsOn?.includes(chosen) === true
        ? { ...one, dependsOn: [...new Set(one.dependsOn.flatMap((id) => (id === chosen ? before : [id])))] }
        : one,
    );
  onChange({ ...plan, subtasks });
  onChoose(subtasks[0]?.id ?? '');
}
