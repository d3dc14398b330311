import { isLessonId } from '../lessons/lesson-words.ts';
import { limits } from '../limits/domain-limits.ts';
import type {
  Dated,
  Learned,
  Teaching,
  MemoryChanged,
  MemoryImport,
  ProjectMemory,
  ProjectState,
  RememberedSignature,
} from '../types/basic/memory.ts';
import { clip, oneLine } from '../text/text.ts';
import { bounded } from './bounded.ts';
import { takeLessons, viewLesson, withPeople } from './project-lessons.ts';

export const newProject = (project: string): ProjectState => ({
  version: 1,
  project,
  signatures: [],
  answers: [],
  lessons: [],
  forgotten: [],
  taught: [],
  refused: { count: 0, last: [] },
});

/** Builds the public view of a memory: the shape of `heddle memory --json`. */
export function buildMemoryView({ project, signatures, answers, lessons }: ProjectState): ProjectMemory {
  return {
    project,
    signatures: signatures.map(({ signature, type, summary, count, fixedAtRung, hint }) => ({
      signature,
      type,
      summary,
      count,
      fixedAtRung,
      hint,
    })),
    answers: answers.map(({ signature, option, instruction, by }) => ({
      signature,
      option,
      ...(instruction === undefined ? {} : { instruction }),
      ...(by === undefined ? {} : { by }),
    })),
    lessons: lessons.map(viewLesson),
  };
}

export const changed = ({ project, signatures, answers, lessons }: ProjectState): MemoryChanged => ({
  project,
  signatures: signatures.length,
  answers: answers.length,
  lessons: lessons.length,
});

/** Takes a task's teaching once: a repeated teaching does not count twice. */
export function takeTeaching(state: ProjectState, teaching: Teaching, now: number): ProjectState {
  if (state.taught.includes(teaching.taskId)) return state;
  const lessons = takeLessons(state, teaching, now);
  return bounded({ ...remember(state, teaching), lessons, taught: [...state.taught, teaching.taskId] });
}

/** Imports a memory: the import counts as this person's statement of now, whatever was forgotten or stated before. */
export function takeImport(
  state: ProjectState,
  { signatures, answers, lessons }: MemoryImport,
  at: number,
): ProjectState {
  const imported = {
    signatures: signatures.map((item) => ({ ...item, at })),
    answers: answers.map((item) => ({ ...item, at })),
  };
  const ids = lessons.map(({ id }) => id);
  const names = new Set([...[...signatures, ...answers].map(({ signature }) => signature), ...ids]);
  const forgotten = state.forgotten.filter(({ signature }) => !names.has(signature));
  const others = state.lessons.filter(({ id }) => !names.has(id));
  const dated = lessons.map((lesson) => ({ ...lesson, at }));
  return bounded(withPeople(remember({ ...state, forgotten }, imported), [...others, ...dated]));
}

/** Forgets a signature, or a lesson by its id. Its time is kept, so that a running task does not bring back what it learned earlier. */
export function forget(state: ProjectState, signature: string, at: number): ProjectState {
  const isOther = (item: { signature: string }): boolean => item.signature !== signature;
  return bounded({
    ...state,
    signatures: state.signatures.filter(isOther),
    answers: state.answers.filter(isOther),
    lessons: isLessonId(signature) ? state.lessons.filter(({ id }) => id !== signature) : state.lessons,
    forgotten: [...state.forgotten.filter(isOther), { signature, at }],
  });
}

/** Applies a person's correction: the rung and the hint for a signature, known or not. */
export function correct(
  state: ProjectState,
  fix: { signature: string; rung?: number; hint?: string },
  at: number,
): ProjectState {
  const current = state.signatures.find(({ signature }) => signature === fix.signature);
  const corrected: Dated<RememberedSignature> = {
    signature: fix.signature,
    type: current?.type ?? fix.signature.replace(/-[0-9a-f]+$/, ''),
    summary: current?.summary ?? '',
    count: current?.count ?? 0,
    fixedAtRung: fix.rung ?? current?.fixedAtRung ?? null,
    hint: fix.hint ?? current?.hint ?? '',
    at,
  };
  return bounded({ ...state, signatures: [...state.signatures.filter((other) => other !== current), corrected] });
}

/** Records a signal that could not be applied, since a signal has no reply: all are counted, and the last ones are kept for people. */
export function recordRefusal(state: ProjectState, reason: string): ProjectState {
  const last = [...state.refused.last, clip(oneLine(reason), limits.memory.refusal)].slice(-limits.memory.refused);
  return { ...state, refused: { count: state.refused.count + 1, last } };
}

/** Merges what a task learned, newest last. Items older than a person's "forget" are dropped; where both sides know one, the later wins. */
function remember(state: ProjectState, given: Learned): ProjectState {
  const forgottenAt = new Map(state.forgotten.map(({ signature, at }) => [signature, at]));
  const isNews = ({ signature, at }: Dated<{ signature: string }>): boolean =>
    at > (forgottenAt.get(signature) ?? -Infinity);
  const signatures = new Map(state.signatures.map((entry) => [entry.signature, entry]));
  for (const learned of given.signatures.filter(isNews)) {
    const merged = merge(signatures.get(learned.signature), learned);
    signatures.delete(learned.signature);
    signatures.set(learned.signature, merged);
  }
  const answers = new Map(state.answers.map((answer) => [answer.signature, answer]));
  for (const answer of given.answers.filter(isNews)) {
    if ((answers.get(answer.signature)?.at ?? -Infinity) > answer.at) continue;
    answers.delete(answer.signature);
    answers.set(answer.signature, answer);
  }
  return { ...state, signatures: [...signatures.values()], answers: [...answers.values()] };
}

function merge(
  current: Dated<RememberedSignature> | undefined,
  learned: Dated<RememberedSignature>,
): Dated<RememberedSignature> {
  if (current === undefined) return learned;
  const [earlier, later] = current.at > learned.at ? [learned, current] : [current, learned];
  return {
    signature: later.signature,
    type: later.type,
    summary: later.summary === '' ? earlier.summary : later.summary,
    count: Math.min(current.count + learned.count, limits.memory.count),
    fixedAtRung: later.fixedAtRung ?? earlier.fixedAtRung,
    hint: later.hint === '' ? earlier.hint : later.hint,
    at: later.at,
  };
}
