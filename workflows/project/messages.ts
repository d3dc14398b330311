import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { MemoryChanged, ProjectMemory } from '../../domain/types/basic/memory.ts';
import type { Lesson, LessonView } from '../../domain/types/basic/lessons.ts';
import { defineRawSignal } from '../shared/raw-message.ts';

/** The form of an export; lessons may come with their times as they are carried. */
export interface ImportedMemory extends Pick<ProjectMemory, 'signatures' | 'answers'> {
  lessons?: readonly (Lesson | LessonView)[];
}

/** A teaching comes as a signal: the task need not wait for a worker to end. */
export const learn = defineRawSignal('learn');
export const addLesson = defineUpdate<MemoryChanged, [{ text: string }]>('add');
export const acceptLesson = defineUpdate<MemoryChanged, [{ id: string }]>('accept');
export const forgetSignature = defineUpdate<MemoryChanged, [{ signature: string } | { id: string }]>('forget');
export const setSignature = defineUpdate<
  MemoryChanged,
  [{ signature: string; rung?: number; hint?: string } | { id: string; text: string }]
>('set');
export const importMemory = defineUpdate<MemoryChanged, [ImportedMemory]>('import');
export const memory = defineQuery<ProjectMemory>('memory');

export const projectDescriptions = {
  learn: 'Adds what a task learned. Sent by tasks.',
  add: 'Adds a lesson: one sentence that later prompts show. Example: {"text":"Run the formatter before the tests."}',
  accept: 'Accepts a lesson that waits, or takes a retired one back. Example: {"id":"l-1a2b3c4d5e"}',
  forget:
    'Forgets a signature and its standing answer, or a lesson. Example: {"signature":"timeout-1a2b3c4d5e6f7a8b"} or {"id":"l-1a2b3c4d5e"}',
  set: 'Corrects what fixes a signature, or the text of a lesson. Example: {"signature":"timeout-1a2b3c4d5e6f7a8b","rung":3,"hint":"split the file first"} or {"id":"l-1a2b3c4d5e","text":"Split large files first."}',
  import: 'Adds the memory of another project. Example: {"signatures":[],"answers":[],"lessons":[]}',
  memory: 'What this project knows: signatures, counts, what fixed them, standing answers, lessons.',
} as const;
