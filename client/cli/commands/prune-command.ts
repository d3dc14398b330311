import { parseDuration } from '../../../domain/text/duration.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { openReferences } from '../../sdk/open-references.ts';
import { withEndpoint, type Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import type { Pruned } from '../../ports/files.ts';
import { usageError } from '../shared/usage-error.ts';

export interface PruneOptions {
  olderThan?: string;
  maxSize?: string;
  dryRun?: boolean;
}

/** `heddle prune`: first everything that open tasks refer to is known, then something may go. */
export async function pruneCommand(context: Context, options: PruneOptions): Promise<number> {
  const olderThan = options.olderThan === undefined ? undefined : readAge(options.olderThan);
  const maxBytes = options.maxSize === undefined ? undefined : readSize(options.maxSize);
  const dryRun = options.dryRun === true;
  return withEndpoint(context, async ({ client, address, namespace, local }) => {
    const { serverId: id, lookedAt, taskIds: openTasks, hashes: keep } = await openReferences(client.temporal);
    const pruned = await context.ports.prune({
      server: { id, address, namespace, local },
      lookedAt,
      openTasks,
      keep,
      ...(olderThan === undefined ? {} : { olderThan }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      dryRun,
    });
    if (context.output.json) context.output.data({ ...pruned, dryRun, openTasks: openTasks.length });
    else context.output.print(formatPruned(pruned, dryRun));
    return exits.done;
  });
}

function formatPruned({ objects, attempts, logs, snapshots, bytes }: Pruned, dryRun: boolean): string {
  const what = [
    formatCount(objects, 'stored object'),
    formatCount(attempts, 'task folder'),
    formatCount(logs, 'log file'),
  ];
  const forgotten = snapshots === 0 ? '' : ` Snapshots of ${formatCount(snapshots, 'task')} too.`;
  return `${dryRun ? 'Would remove' : 'Removed'} ${what.join(', ')}: ${formatBytes(bytes)}.${forgotten}`;
}

const units: readonly [string, number][] = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['kB', 1024],
];

function formatBytes(bytes: number): string {
  const [name, size] = units.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Number((bytes / size).toFixed(1))} ${name}`;
}

function readAge(text: string): number {
  const age = parseDuration(text);
  if (age === undefined)
    throw usageError(`--older-than is ${text}, which is not a duration`, { hint: 'Write it as 12h or 30d.' });
  return age;
}

function readSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(kB|MB|GB)$/i.exec(text.trim());
  const unit = units.find(([name]) => name.toLowerCase() === match?.[2]?.toLowerCase());
  if (match === null || unit === undefined)
    throw usageError(`--max-size is ${text}, which is not a size`, { hint: 'Write it as 500MB or 20GB.' });
  return Number(match[1]) * unit[1];
}
