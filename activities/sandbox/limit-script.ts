import { activityLimits } from '../limits/activity-limits.ts';
import { ownShell } from '../programs/own-programs.ts';

const { addressSpace, fileBytes, openFiles, threads } = activityLimits.commands;

/**
 * Limits that the kernel itself holds, set by a shell that then becomes the command. A limit that a system does not know is skipped. Files are counted in
 * blocks of 512 bytes, addresses in kilobytes. Threads are counted for all of a user's programs: only in a sandbox, where the command is
 * alone, is that its own number; `-u` and `-p` are its names in different shells.
 */
export function limited(argv: readonly string[], { alone }: { alone: boolean }): string[] {
  const limits = [
    'ulimit -c 0',
    `ulimit -f ${fileBytes / 512}`,
    `ulimit -n ${openFiles}`,
    `ulimit -v ${addressSpace / 1024}`,
    ...(alone ? [`ulimit -u ${threads}`, `ulimit -p ${threads}`] : []),
  ];
  const script = [...limits.map((limit) => `${limit} 2>/dev/null`), 'exec "$@"'].join('\n');
  return [ownShell, '-c', script, 'sh', ...argv];
}
