const turns = new Map<string, Promise<unknown>>();

/** Runs actions of one name one after the other within this process, in the order in which they were asked for. */
export async function takeTurns<T>(name: string, action: () => Promise<T>): Promise<T> {
  const turn = (turns.get(name) ?? Promise.resolve()).then(action);
  const settled = turn.catch(() => undefined);
  turns.set(name, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === settled) turns.delete(name);
  }
}
