/** The code of a system error (`ENOSPC`, `ENOENT`), or undefined for anything else that was thrown. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Undefined when the operating system says no: it may be otherwise the next time. */
export function orNone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Did the operating system say no (and not: is our code wrong)? */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return systemCode(error) !== undefined && error instanceof Error && 'syscall' in error;
}
