import { randomInt } from 'node:crypto';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { isPortFree } from './free-port.ts';

/**
 * Ports that browsers refuse to open for any page, whatever the address: those bad ports of the Fetch standard that Chromium, Firefox and
 * Safari all have and on which everybody may listen. What listens there is out of reach for web pages, also by a name that leads here.
 */
const unbrowsable = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000],
  ...[6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080],
];

/** A port that nobody listens on now and that no browser opens. */
export async function unbrowsablePort(host: string): Promise<number> {
  // Two services that start at once on one address seldom choose the same.
  const first = randomInt(unbrowsable.length);
  for (const port of [...unbrowsable.slice(first), ...unbrowsable.slice(0, first)]) {
    if (await isPortFree(port, host)) return port;
  }
  throw new HeddleError({
    code: 'NO_FREE_PORT',
    message: `The Web UI must listen on a port that browsers do not open, and all ${unbrowsable.length} of them are taken`,
    where: host,
    hint: 'End a local service that you do not need (`heddle down` with its HEDDLE_HOME), or use a running server by TEMPORAL_ADDRESS.',
  });
}
