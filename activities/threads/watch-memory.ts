import type { Worker } from 'node:worker_threads';
import { activityLimits } from '../limits/activity-limits.ts';

/**
 * Calls `onExcess` once when a thread holds more than `most` bytes. The limits of a thread count its heap alone, and a small file may
 * unpack to a gigabyte of buffers; the statistics count both, and a busy thread gives them too. Returns what ends the watch.
 */
export function watchMemory(thread: Worker, most: number, onExcess: (bytes: number) => void): () => void {
  let watching = true;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    // A thread that ended meanwhile has no statistics, and its end is reported by itself.
    const heap = await thread.getHeapStatistics().catch(() => undefined);
    if (!watching || heap === undefined) return;
    const bytes = heap.total_heap_size + heap.external_memory + heap.malloced_memory;
    if (bytes > most) {
      watching = false;
      onExcess(bytes);
    } else timer = setTimeout(() => void look(), activityLimits.threads.memoryEvery);
  };
  void look();
  return () => {
    watching = false;
    clearTimeout(timer);
  };
}
