import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { MemoryChanged, ProjectMemory } from '../../domain/types/basic/memory.ts';
import { defineRawSignal } from '../shared/raw-message.ts';

/** A task's lessons come as a signal: the task need not wait for a worker to end. */
export const learn = defineRawSignal('learn');
export const forgetSignature = defineUpdate<MemoryChanged, [{ signature: string }]>('forget');
export const setSignature = defineUpdate<MemoryChanged, [{ signature: string; rung?: number; hint?: string }]>('set');
export const importMemory = defineUpdate<MemoryChanged, [Pick<ProjectMemory, 'signatures' | 'answers'>]>('import');
export const memory = defineQuery<ProjectMemory>('memory');

export const projectDescriptions = {
  learn: 'Adds what a task learned. Sent by tasks.',
  forget: 'Forgets a signature and its standing answer. Example: {"signature":"timeout-1a2b3c4d5e6f7a8b"}',
  set: 'Corrects what fixes a signature. Example: {"signature":"timeout-1a2b3c4d5e6f7a8b","rung":3,"hint":"split the file first"}',
  import: 'Adds the memory of another project. Example: {"signatures":[],"answers":[]}',
  memory: 'What this project knows: signatures, counts, what fixed them, standing answers.',
} as const;
