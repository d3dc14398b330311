/**
 * The other end of `bin/heddle.js` where that runs on an older Node: it starts this process with the pinned one and repeats its own signals
 * here as messages. A signal sent once more could not be told from a second Ctrl-C.
 */
const hello = { heddle: 'listening' };

/** A message of the launcher: the name of a signal that it got. */
interface Repeated {
  heddle: 'signal';
  signal: string;
}

const isRepeated = (message: unknown): message is Repeated =>
  typeof message === 'object' &&
  message !== null &&
  'heddle' in message &&
  message.heddle === 'signal' &&
  'signal' in message &&
  typeof message.signal === 'string';

/**
 * Hears of the launcher's signals from now on. A launcher that is gone counts as a terminal that is gone. Without a launcher nothing is
 * heard.
 */
export function followLauncher(handler: (signal: string) => void): void {
  const { channel } = process;
  // Another program that started this process with a channel has a use of its own for it.
  const isLaunched = process.env['HEDDLE_LAUNCHER'] === String(process.ppid);
  if (!isLaunched || process.send === undefined || channel === undefined) return;
  process.on('message', (message) => {
    if (isRepeated(message)) handler(message.signal);
  });
  process.on('disconnect', () => handler('SIGHUP'));
  // To be listening is no reason to stay.
  channel.unref();
  process.send(hello, undefined, undefined, () => undefined);
}
