import type { ConsoleInfo } from '../../client/ports/service.ts';
import type { HeddleHome } from '../home/home.ts';
import type { ApiRecord } from '../serve/api-record.ts';
import { homeKey } from '../serve/home-key.ts';

/** The address for people. A fragment is sent to nobody: the page trades the key in it for a cookie, and clears it. */
export function describeConsole(home: Pick<HeddleHome, 'run'>, record: ApiRecord | undefined): ConsoleInfo {
  if (record === undefined) return { console: null, signIn: null };
  const { console, takesKey } = record;
  return { console, signIn: takesKey ? `${console}/#key=${homeKey(home)}` : console };
}
