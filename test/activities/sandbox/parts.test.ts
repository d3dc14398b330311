// The small parts: both ends of an output, the order of mounts, what belongs to a program.
import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { HeadTail } from '../../../activities/sandbox/head-tail.ts';
import { inOrder, type Mount } from '../../../activities/sandbox/mounts/mount.ts';
import { readProcessMemory, ProcessTree } from '../../../activities/sandbox/process-tree.ts';
import { eventually } from '../execute/program/support.ts';

test('what fits is kept whole, of more both ends, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ min: 32, max: 126, maxLength: 12 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      (pieces, head, tail) => {
        const both = new HeadTail(head, tail);
        for (const piece of pieces) both.push(Buffer.from(piece));
        const all = Buffer.concat(pieces).toString();
        const dropped = Math.max(0, all.length - head - tail);
        const ends = dropped === 0 ? { head: all, tail: '' } : { head: all.slice(0, head), tail: all.slice(-tail) };
        expect(both.kept()).toEqual({ ...ends, bytes: all.length, dropped });
      },
    ),
  );
});

test('a character at a cut is whole or not there', () => {
  const both = new HeadTail(4, 4);
  both.push(Buffer.from('aaaäbbbbäccc'));
  expect(both.kept()).toEqual({ head: 'aaa', tail: 'ccc', bytes: 14, dropped: 6 });
  const whole = new HeadTail(4, 4);
  whole.push(Buffer.from('aaaäbb'));
  expect(whole.kept()).toEqual({ head: 'aaaäbb', tail: '', bytes: 7, dropped: 0 });
});

test('what is deeper comes later; of two in one place the last counts; nothing small is put into the machine', () => {
  const read = (at: string): Mount => ({ kind: 'read', at, from: at });
  const mounts: Mount[] = [
    read('/home/me/work/deep'),
    read('/usr'),
    { kind: 'text', at: '/usr/share/x', text: '' },
    { kind: 'link', at: '/bin', to: 'usr/bin' },
    { kind: 'memory', at: '/home/me/work', bytes: 1 },
    { kind: 'write', at: '/home/me/work', from: '/home/me/work' },
    { kind: 'text', at: '/etc/passwd', text: '' },
  ];
  expect(inOrder(mounts).map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'read /usr',
    'link /bin',
    'text /etc/passwd',
    'write /home/me/work',
    'read /home/me/work/deep',
  ]);
});

test.runIf(process.platform === 'linux')(
  'a program and what it started are told, also when a parent is gone',
  async () => {
    const child = spawn('sh', ['-c', 'setsid sh -c "sleep 60 & wait" & sleep 60'], { detached: true, stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const tree = new ProcessTree(pid);
    onTestFinished(() => {
      for (const member of tree.look()) process.kill(member.pid, 'SIGKILL');
    });
    expect(await eventually(() => tree.look().length === 4, 5_000)).toBe(true);
    expect(readProcessMemory(pid)).toBeGreaterThan(10_000);
    process.kill(pid, 'SIGKILL');
    expect(await eventually(() => tree.look().length === 3, 5_000)).toBe(true);
    expect(readProcessMemory(2 ** 30)).toBe(0);
  },
);
