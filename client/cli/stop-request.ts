import type { TerminalPort } from '../ports/terminal.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls the handler at the first request to stop. After it, or after the returned function, the signals have their usual effect:
 * a second Ctrl-C always ends the process.
 */
export function onceAskedToStop(ports: Pick<TerminalPort, 'onStopRequest'>, handler: () => void): () => void {
  const subscribe = ports.onStopRequest?.bind(ports) ?? onSignals;
  const release = subscribe(() => {
    release();
    handler();
  });
  return release;
}

function onSignals(handler: () => void): () => void {
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
