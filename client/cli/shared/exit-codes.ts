/** The exit codes of commands, for scripts. That of an error is listed with its code, in `domain/errors/error-codes.ts`. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  personNeeded: 3,
  notFound: 4,
  unreachable: 5,
  interrupted: 130,
} as const;
