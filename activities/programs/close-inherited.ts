import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { orNone } from '../system/system-error.ts';

/** Set on a descriptor that no program which is started gets: octal, as the kernel shows it. */
const closedForPrograms = 0o2000000;

/**
 * Closes what this process was given by its parent and would hand on to every program that it starts: files and sockets of others.
 * Its own are never handed on. Where the system does not tell, nothing is closed.
 */
export function closeInherited(): void {
  const open = orNone(() => readdirSync('/proc/self/fd')) ?? [];
  for (const descriptor of open.map(Number).filter((number) => number > 2)) {
    const info = orNone(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? '';
    const flags = parseInt(/^flags:\s*(?<flags>[0-7]+)$/m.exec(info)?.groups?.['flags'] ?? '', 8);
    if (!Number.isNaN(flags) && (flags & closedForPrograms) === 0) orNone(() => closeSync(descriptor));
  }
}
