import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { isNoWorker } from '../temporal/explain-error.ts';

/** Asks a worker to look at something. Where none answers, the hint for messages does not fit: nothing could be sent instead. */
export async function askToLook<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!isNoWorker(error)) throw error;
    throw new HeddleError({ ...error.toJSON(), hint: 'Start one with `heddle worker`; the task itself is safe.' });
  }
}
