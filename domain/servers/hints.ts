import type { Hints } from '../types/basic/tool-server.ts';

/** Reads the annotations and the metadata of a tool as its server sent them. */
export function readHints(annotations: unknown, meta: unknown): Hints {
  const isTrue = (table: unknown, key: string): boolean =>
    typeof table === 'object' && table !== null && Object.hasOwn(table, key) && Reflect.get(table, key) === true;
  return {
    ...(isTrue(annotations, 'readOnlyHint') ? { readOnly: true } : {}),
    ...(isTrue(annotations, 'destructiveHint') ? { destructive: true } : {}),
    ...(isTrue(annotations, 'idempotentHint') ? { idempotent: true } : {}),
    ...(isTrue(meta, settlesKey) ? { settles: true } : {}),
  };
}

/** The key of a tool's `_meta` by which a server says that it has `<tool>/settle`. */
export const settlesKey = 'heddle/settles';

/** Hints of a server that nobody trusts: only a hint that makes a call more careful counts. */
export const cautiousHints = ({ destructive, settles }: Hints): Hints => ({
  ...(destructive === undefined ? {} : { destructive }),
  ...(settles === undefined ? {} : { settles }),
});

/** A tool that says of itself that it destroys is no reader, whatever else it says. */
export const onlyReads = ({ readOnly, destructive }: Hints): boolean => readOnly === true && destructive !== true;
