// Commands that stay or look at the machine: up, down, worker, doctor.
import { expect, test } from 'vitest';
import { main } from '../../../../client/cli/main.ts';
import type { Ports } from '../../../../client/ports/ports.ts';
import { testPorts } from './support.ts';

const shown = { console: 'http://127.0.0.1:9', temporalAddress: '127.0.0.1:7', webUi: 'http://127.0.0.1:8', pid: 42 };
const info = { ...shown, signIn: 'http://127.0.0.1:9/#key=secret' };

/** A service that is ready at once and ends when it is told to. */
function staying(): Pick<Ports, 'up' | 'worker'> {
  const until = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return {
    up: ({ onReady, signal }) => {
      onReady(info);
      return until(signal);
    },
    worker: ({ onReady, signal }) => {
      onReady({ address: 'a:1', taskQueue: 'q', host: 'h' });
      return until(signal);
    },
  };
}

/** Asks to stop as soon as somebody listens, and counts who does. */
function stopAtOnce() {
  const listening = new Set<() => void>();
  const onStopRequest = (handler: () => void): (() => void) => {
    listening.add(handler);
    setImmediate(handler);
    return () => listening.delete(handler);
  };
  return { onStopRequest, listening };
}

test('up says where it is once it is ready, stays, and ends with 0 when it is asked to stop', async () => {
  const { onStopRequest, listening } = stopAtOnce();
  const json = testPorts({ ...staying(), onStopRequest });
  expect(await main(['up', '--json'], json.ports)).toBe(0);
  expect(JSON.parse(json.stdout())).toEqual(shown);
  expect(json.stderr()).toBe('');
  expect(listening.size).toBe(0);
  const plain = testPorts({ ...staying(), ...stopAtOnce() });
  expect(await main(['up'], plain.ports)).toBe(0);
  expect(plain.stdout()).toContain('http://127.0.0.1:8');
  expect(plain.stderr()).toContain('Stopping');
});

test('up names the console first, with the key of the home on a terminal alone', async () => {
  const piped = testPorts({ ...staying(), ...stopAtOnce() });
  await main(['up'], piped.ports);
  expect(piped.stdout().split('\n')[0]).toBe('Console   http://127.0.0.1:9');
  const terminal = testPorts({ ...staying(), ...stopAtOnce() }, { isTTY: true, columns: 80 });
  await main(['up'], terminal.ports);
  expect(terminal.stdout().split('\n')[0]).toContain('http://127.0.0.1:9/#key=secret');
});

test('worker stays the same way', async () => {
  const { ports, stdout } = testPorts({ ...staying(), ...stopAtOnce() });
  expect(await main(['worker', '--json'], ports)).toBe(0);
  expect(JSON.parse(stdout())).toEqual({ address: 'a:1', taskQueue: 'q', host: 'h' });
});

test('up --background returns', async () => {
  const { ports, stdout } = testPorts({ upInBackground: () => Promise.resolve(info) });
  expect(await main(['up', '--background', '--json'], ports)).toBe(0);
  expect(JSON.parse(stdout())).toEqual(shown);
});

test('down says when there is nothing to stop, and exits 0', async () => {
  const nothing = { connectIfRunning: () => Promise.resolve(undefined), down: () => Promise.resolve(false) };
  const plain = testPorts(nothing);
  expect(await main(['down'], plain.ports)).toBe(0);
  expect(plain.stdout()).toBe('No local service is running.\n');
  const json = testPorts(nothing);
  expect(await main(['down', '--json'], json.ports)).toBe(0);
  expect(JSON.parse(json.stdout())).toEqual({ stopped: false });
});

test('down --force does not look for open tasks', async () => {
  const { ports, stdout } = testPorts({ down: () => Promise.resolve(true) });
  expect(await main(['down', '--force', '--json'], ports)).toBe(0);
  expect(JSON.parse(stdout())).toEqual({ stopped: true });
});

test('doctor exits 0 when all is well and 1 when something is not, with what to do about it', async () => {
  const good = { name: 'node', ok: true, detail: 'Node 24' };
  const bad = { name: 'worker', ok: false, detail: 'none', hint: 'Start one.' };
  const well = testPorts({ doctor: () => Promise.resolve([good]) });
  expect(await main(['doctor'], well.ports)).toBe(0);
  expect(well.stdout()).toBe('✓ node: Node 24\n');
  const ill = testPorts({ doctor: () => Promise.resolve([good, bad]) });
  expect(await main(['doctor'], ill.ports)).toBe(1);
  expect(ill.stdout()).toBe('✓ node: Node 24\n✗ worker: none\n    Start one.\n');
  const json = testPorts({ doctor: () => Promise.resolve([good, bad]) });
  expect(await main(['doctor', '--json'], json.ports)).toBe(1);
  const checks = [
    { name: 'node', ok: true, found: 'Node 24' },
    { name: 'worker', ok: false, found: 'none', hint: 'Start one.' },
  ];
  expect(JSON.parse(json.stdout())).toEqual({ ok: false, checks });
});
