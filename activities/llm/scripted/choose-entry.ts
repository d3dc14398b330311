import { aside } from '../../../domain/llm/model-call.ts';
import type { Store } from '../../store/store.ts';
import type { Asker } from '../ports/model.ts';
import type { Script, ScriptEntry } from './script.ts';

/** The asker of a scripted reply. Tries count from 1: a call that came to no reply is asked again with the same turn. */
export interface ScriptAsker extends Asker {
  tries: number;
}

export interface ScriptQuery {
  /** Names the script among others of the task. */
  script: string;
  entries: Script;
  asker: ScriptAsker;
  /** All that the request says. */
  text: string;
}

type Claims = Pick<Store, 'claim' | 'peek'>;

const buildAskerKey = ({ role, subtask, attempt, turn, part }: Asker): string =>
  JSON.stringify([role, subtask ?? null, attempt ?? null, turn, ...(part === undefined ? [] : [part])]);

/**
 * The first entry that fits and is not used up. Each use is claimed by the place that asks, durably: a call that a crash
 * repeated finds its own use again, and nobody else gets it. A question aside, whose answer nobody needs, uses nothing up.
 */
export async function chooseEntry(query: ScriptQuery, claims: Claims): Promise<ScriptEntry | undefined> {
  const { script, entries, asker, text } = query;
  const place = `${buildAskerKey(asker)} ${asker.tries}`;
  const key = (name: string) => ({ task: asker.task, name: `script ${script} ${name}` });
  for (const [index, entry] of entries.entries()) {
    if (!fits(entry, asker, text)) continue;
    for (let use = 1; use <= entry.times; use += 1) {
      const name = key(`use ${index} ${use}`);
      // Looked at first: a use that is gone stays gone, and a claim writes to the disk.
      const held = await claims.peek(name);
      if (asker.part === aside) {
        if (held === undefined) return entry;
        continue;
      }
      const holder = held ?? (await claims.claim(name, place)).value;
      if (holder === place) return entry;
    }
  }
  return undefined;
}

function fits({ when }: ScriptEntry, asker: Asker, text: string): boolean {
  return (
    // A lesson is learned beside the work: it must not use up an entry that is for the work.
    (when.role === undefined ? asker.role !== 'extractor' : when.role === asker.role) &&
    (when.subtask === undefined || when.subtask === asker.subtask) &&
    (when.attempt === undefined || when.attempt === asker.attempt) &&
    (when.turn === undefined || when.turn === asker.turn) &&
    (when.contains === undefined || text.includes(when.contains))
  );
}

/** The number of a try at its place: one above those that are known to have come to no reply. */
export async function countTries(asker: Asker, script: string, claims: Claims): Promise<number> {
  let tries = 1;
  while ((await claims.peek(failedKey(asker, script, tries))) !== undefined) tries += 1;
  return tries;
}

/** This try came to no reply: the next one is answered by the next entry. */
export async function noteFailed(asker: ScriptAsker, script: string, claims: Claims): Promise<void> {
  await claims.claim(failedKey(asker, script, asker.tries), 'failed');
}

const failedKey = (asker: Asker, script: string, tries: number) => ({
  task: asker.task,
  name: `script ${script} failed ${buildAskerKey(asker)} ${tries}`,
});
