import { readFileSync } from 'node:fs';

/** The process has no terminal that could stop it. */
const noTerminal = '-1';

/**
 * True where the keys of the terminal are for this process. A process in the background that asks for them is stopped by the system; where it
 * cannot be known, it is taken for the one in front.
 */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground || foreground === noTerminal;
  } catch {
    return true;
  }
}

/** Time in which the system stops a process that was told to. */
const stopping = 100;

/** Ctrl-Z: stops this job as the shell knows it. `onBack` is called when it goes on: at once where no shell could bring it back. */
export function suspendJob(onBack: () => void): void {
  process.kill(0, 'SIGTSTP');
  setTimeout(onBack, stopping);
}
