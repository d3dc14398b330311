import type { ProjectMemory } from '../../domain/model/memory.ts';
import { utf8Length } from '../../domain/text/text.ts';
import { activityLimits } from '../limits.ts';

type Told = Pick<ProjectMemory, 'signatures' | 'answers'>;

/** As much of a project's memory as a task carries, the newest of it. Answers of people have half of the room for themselves. */
export function boundMemory({ signatures, answers }: Told): Told {
  const ofAnswers = newest(answers, activityLimits.toldMemoryBytes / 2);
  const ofSignatures = newest(signatures, activityLimits.toldMemoryBytes - ofAnswers.bytes);
  return { signatures: ofSignatures.items, answers: ofAnswers.items };
}

/** The last ones that fit, in their order. */
function newest<T>(items: readonly T[], room: number): { items: T[]; bytes: number } {
  let bytes = 0;
  let first = items.length;
  while (first > 0) {
    const length = utf8Length(JSON.stringify(items[first - 1])) + 1;
    if (bytes + length > room) break;
    bytes += length;
    first -= 1;
  }
  return { items: items.slice(first), bytes };
}
