import { describeChecks } from '../../system/describe-checks.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { formatCount, formatList } from '../../../domain/text/text.ts';
import type { Context } from '../shared/context.ts';
import { exits } from '../shared/exit-codes.ts';
import type { Check, ConsoleInfo, UpInfo } from '../../ports/service.ts';
import type { Output } from '../shared/output.ts';
import { onceAskedToStop } from '../shared/stop-request.ts';

/** `heddle up`: stays until it is asked to stop, then lets running attempts finish. */
export async function upCommand(
  context: Context,
  { background = false, ...options }: { background?: boolean; metrics?: string; console?: boolean },
): Promise<number> {
  const { ports, output } = context;
  const progress = (text: string): void => output.note(text);
  if (background) {
    printUp(context, await ports.upInBackground({ progress, ...options }));
    return exits.done;
  }
  await untilAskedToStop(context, (signal) =>
    ports.up({
      ...options,
      signal,
      progress,
      onReady: (info) => {
        printUp(context, info);
        output.note('Ctrl-C stops it.');
      },
    }),
  );
  return exits.done;
}

function printUp({ output }: Context, info: UpInfo): void {
  const { console, temporalAddress, webUi, pid } = info;
  if (output.json) return output.data({ console, temporalAddress, webUi, pid });
  output.print(
    ...consoleLines(output, info),
    `Temporal  ${info.temporalAddress}`,
    ...(info.webUi === null ? [] : [`Web UI    ${info.webUi}`]),
    `Process   ${info.pid}`,
  );
}

/** On a terminal with the home's own key, so that a click signs in; elsewhere, where it could end in a log, without. */
export function consoleLines({ stdout }: Output, { console, signIn }: ConsoleInfo): string[] {
  const address = stdout.isTTY === true ? signIn : console;
  return address === null ? [] : [`Console   ${address}`];
}

/** `heddle down`: an open task is a reason not to, unless the person insists. */
export async function downCommand(context: Context, { force = false }: { force?: boolean }): Promise<number> {
  const { ports, output } = context;
  if (!force) await refuseWhileOpen(context);
  const stopped = await ports.down();
  if (output.json) output.data({ stopped });
  else output.print(stopped ? 'The local service has stopped.' : 'No local service is running.');
  return exits.done;
}

async function refuseWhileOpen({ ports }: Context): Promise<void> {
  const endpoint = await ports.connectIfRunning();
  if (endpoint === undefined) return;
  try {
    const open = endpoint.local ? await endpoint.client.list("ExecutionStatus = 'Running'") : [];
    if (open.length === 0) return;
    const cancels = formatList(open.map(({ id }) => `\`heddle cancel ${id}\``));
    throw new HeddleError({
      code: 'SERVICE_BUSY',
      message: `${formatCount(open.length, 'task')} ${open.length === 1 ? 'is' : 'are'} open: ${formatList(open.map(({ id }) => id))}`,
      hint: `Wait, stop ${open.length === 1 ? 'it' : 'each'} with ${cancels}, or use \`heddle down --force\`: open tasks resume at the next start.`,
    });
  } finally {
    await endpoint.client.close();
  }
}

export interface WorkerOptions {
  metrics?: string;
  buildId?: string;
  workflowsOnly?: boolean;
}

/** `heddle worker`: a worker alone, for a server that is elsewhere. */
export async function workerCommand(context: Context, options: WorkerOptions): Promise<number> {
  const { ports, output } = context;
  await untilAskedToStop(context, (signal) =>
    ports.worker({
      ...options,
      signal,
      onReady: ({ address, taskQueue, host }) => {
        const { workflowsOnly = false } = options;
        const as = workflowsOnly ? 'for workflows only' : `as host ${host}`;
        if (output.json) output.data({ address, taskQueue, host: workflowsOnly ? null : host });
        else output.print(`Working for ${address} on the queue ${taskQueue} ${as}. Ctrl-C stops it.`);
      },
    }),
  );
  return exits.done;
}

export async function untilAskedToStop(
  { ports, output }: Context,
  stay: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const release = onceAskedToStop(ports, () => {
    output.note('Stopping; running attempts may finish. Ctrl-C again stops at once.');
    stop.abort();
  });
  try {
    await stay(stop.signal);
  } finally {
    release();
  }
}

/** `heddle doctor`: checks what a task needs, and names the next step where something is missing. */
export async function doctorCommand({ ports, output }: Context): Promise<number> {
  const checks = await ports.doctor();
  const described = describeChecks(checks);
  if (output.json) output.data(described);
  else output.print(...checks.flatMap((check) => checkLines(check, output.paint)));
  return described.ok ? exits.done : exits.failed;
}

function checkLines({ name, ok, detail, hint }: Check, paint: Context['output']['paint']): string[] {
  const mark = ok ? paint('green', '✓') : paint('red', '✗');
  return [`${mark} ${name}: ${detail}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}
