import type { Dial } from '../../../activities/web/guarded-agent.ts';
import type { NameServers } from '../../../activities/web/resolve-host.ts';

/** Answers a lookup: addresses, one list after the other where the name is asked again; the last one stays. */
export type Names = Readonly<Record<string, readonly (readonly string[])[]>>;

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** Name servers that only know these names, and keep the questions. */
export function nameServers(names: Names): NameServers & { questions: string[] } {
  const questions: string[] = [];
  const times = new Map<string, number>();
  const answer = (name: string, isSix: boolean): Promise<string[]> => {
    const lists = Object.hasOwn(names, name) ? names[name] : undefined;
    if (lists === undefined) return Promise.reject(systemError('ENOTFOUND'));
    const key = `${name}${isSix ? '6' : '4'}`;
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    const list = lists[Math.min(time, lists.length - 1)] ?? [];
    const fitting = list.filter((address) => address.includes(':') === isSix);
    return fitting.length > 0 ? Promise.resolve([...fitting]) : Promise.reject(systemError('ENODATA'));
  };
  return {
    questions,
    resolve4: (name) => (questions.push(name), answer(name, false)),
    resolve6: (name) => answer(name, true),
    cancel: () => undefined,
  };
}

/** Connects to nothing, and keeps what it should have dialled. */
export function recordingDial(): { dial: Dial; dialled: { address: string; port: string; name: string }[] } {
  const dialled: { address: string; port: string; name: string }[] = [];
  return {
    dialled,
    dial: ({ hostname, port, servername }, callback) => {
      dialled.push({ address: hostname, port, name: servername ?? '' });
      callback(systemError('ECONNREFUSED'), null);
    },
  };
}
