import { withTask } from '../find-task.ts';
import { consoleLines, untilAskedToStop } from '../service-commands.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';

export interface ServeFlags {
  host?: string;
  port?: number;
}

/** `heddle serve`: stays until it is asked to stop. */
export async function serveCommand(context: Context, flags: ServeFlags): Promise<number> {
  const { ports, output } = context;
  await untilAskedToStop(context, (signal) =>
    ports.serve({
      ...flags,
      signal,
      onReady: (info) => {
        const { console, api, pid } = info;
        if (output.json) return output.data({ console, api, pid });
        output.print(...consoleLines(output, info), `API       ${api}`, `Process   ${pid}`);
        output.note('Ctrl-C stops it.');
      },
    }),
  );
  return exits.done;
}

export interface OpenOptions {
  task: string | undefined;
  decision: string | undefined;
  print?: boolean;
}

/** `heddle open`: the address is printed where no browser can be opened. */
export async function openCommand(context: Context, { task, decision, print = false }: OpenOptions): Promise<number> {
  const { ports, output } = context;
  const path = task === undefined ? '/' : await buildPath(context, task, decision);
  const url = await ports.consoleAddress({ path, progress: (text) => output.note(text) });
  if (output.json) output.data({ url });
  else if (print || !(await ports.browse(url))) output.print(url);
  return exits.done;
}

/** Throws `TASK_NOT_FOUND` before a browser is opened for nothing. */
function buildPath(context: Context, task: string, decision: string | undefined): Promise<string> {
  return withTask(context, task, async (handle) => {
    await handle.end();
    const ofDecision = decision === undefined ? '' : `/decisions/${encodeURIComponent(decision)}`;
    return `/tasks/${encodeURIComponent(handle.id)}${ofDecision}`;
  });
}
