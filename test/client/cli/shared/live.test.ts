// The live view on a terminal of the test's own: what it says in the frame, and that it gives the terminal back.
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LiveView, type LiveOptions } from '../../../../client/terminal/follow/live-view.ts';
import { Output } from '../../../../client/cli/shared/output.ts';
import { clientLimits } from '../../../../client/limits/client-limits.ts';
import { HeddleError } from '../../../../domain/errors/heddle-error.ts';
import { decision, status, subtask, testPorts } from './support.ts';

function live(given: Partial<LiveOptions> = {}) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
  const { ports, stdout } = testPorts({ stdin, env: { NO_COLOR: '1' } }, { isTTY: true, columns: 100 });
  const view = new LiveView(
    { ports, output: new Output(ports, { json: false }) },
    {
      handle: { id: 't1', plan: () => Promise.resolve(null), decide: () => Promise.resolve(undefined) },
      link: null,
      asks: true,
      onInterrupt: () => undefined,
      ...given,
    },
  );
  onTestFinished(() => view.close());
  /** The last frame that was drawn. */
  const frame = (): string => stdout().split('\u001b[?2026h').at(-1) ?? '';
  const press = async (keys: string): Promise<void> => {
    stdin.write(keys);
    await sleep(20);
  };
  return { view, frame, press, modes, stdout };
}

const waiting = status({ subtasks: [subtask('deploy', { state: 'waiting' })], decisions: [decision()] });

test('an answer that is not taken is said in the frame until a key is pressed, and the question is asked again', async () => {
  const refusal = new HeddleError({ code: 'NO_WORKER', message: 'Nobody is there', hint: 'Start one.' });
  const decide = (): Promise<never> => Promise.reject(refusal);
  const { view, frame, press } = live({ handle: { id: 't1', plan: () => Promise.resolve(null), decide } });
  view.status(waiting);
  await sleep(clientLimits.cli.keyGuard + 20);
  await press('1\r');
  expect(frame()).toContain('error: Nobody is there (NO_WORKER)');
  expect(frame()).toContain('? deploy-1');
  await sleep(clientLimits.cli.keyGuard + 20);
  await press('j');
  expect(frame()).not.toContain('Nobody is there');
});

test('the clock goes on while a question is open', async () => {
  const { view, frame } = live();
  view.status({ ...waiting, startedAt: new Date().toISOString() });
  const before = frame();
  await sleep(clientLimits.cli.activityPoll + 200);
  expect(before).toContain('running · 0 s');
  expect(frame()).toMatch(/running · [1-9]/);
});

test('Ctrl-C gives the keyboard back at once; the last frame names the command that answers', async () => {
  let interrupted = 0;
  const { view, frame, press, modes } = live({ onInterrupt: () => (interrupted += 1) });
  view.status(waiting);
  await press('\u0003');
  expect([interrupted, modes]).toEqual([1, [true, false]]);
  await view.close();
  expect(frame()).toContain('? deploy-1  heddle decide t1 deploy-1 OPTION');
  expect(frame().endsWith('\u001b[?25h')).toBe(true);
});

test('where nobody can be asked, the keyboard is left alone', async () => {
  const { view, frame, modes, stdout } = live({ asks: false });
  view.status(waiting);
  expect(frame()).toContain('heddle decide t1 deploy-1 OPTION');
  await view.close();
  expect(modes).toEqual([]);
  expect(stdout()).not.toContain('\u0007');
});

test('before the task has answered, the screen says which task it is, what is heard of it, and why it does not answer', () => {
  const { view, frame } = live({ link: 'http://127.0.0.1:8233/t1' });
  expect(frame()).toContain('◌ Task t1\n');
  expect(frame()).toContain('http://127.0.0.1:8233/t1');
  view.trouble('no worker is responding');
  expect(frame()).toContain('… no worker is responding; still trying');
  view.status(waiting);
  expect(frame()).not.toContain('Task t1');
});
