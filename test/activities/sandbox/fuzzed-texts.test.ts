/*
 * Fuzzed commands, of which many reach `rm` in one of the ways that a shell has. None takes long to judge; what is allowed is run by a real
 * bash in a sandbox whose `rm` only takes notes: none of it deletes recursively or by force.
 * HEDDLE_FUZZ_RUNS=20000 for the long look.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { gateFacts, gateTexts } from '../../domain/gates/support.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { bubblewrap } from './support.ts';

const asked = process.env['HEDDLE_FUZZ_RUNS'];
const numRuns = Number(asked ?? 600);
const seed = Date.now();

/** The flags of a real `rm` that make it recursive or forced: bundled, or long and perhaps shortened. */
const recorder = `#!/bin/sh
note() { echo "$TEXT" >> /notes; exit; }
for word; do
  case $word in
    --) break ;;
    --*)
      case --recursive in "$word"*) note ;; esac
      case --force in "$word"*) note ;; esac
      ;;
    -*[rRf]*) note ;;
  esac
done
`;

const driver = `ulimit -c 0 -f 2048
for TEXT in "$@"; do
  export TEXT
  cd "/texts/$TEXT" && timeout -k 1 3 bash -c "$(< .text)" < /dev/null > /dev/null 2>&1
done
exit 0`;

/** The texts among these that reach a recursive or forced `rm`. */
function deleting(texts: readonly string[], folder: string): string[] {
  const places = { rm: join(folder, 'rm'), notes: join(folder, 'notes'), texts: join(folder, 'texts') };
  writeFileSync(places.rm, recorder, { mode: 0o755 });
  writeFileSync(places.notes, '');
  for (const [number, text] of texts.entries()) {
    const place = join(places.texts, String(number));
    mkdirSync(join(place, 'x', 'y'), { recursive: true });
    for (const [name, content] of Object.entries({ '.text': text, 'x/f': 'a\n', 'a.txt': 'b\n', p: 'p\n' }))
      writeFileSync(join(place, name), content);
  }
  const walls = ['--unshare-all', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  for (const place of ['/usr', '/bin', '/lib', '/lib64', '/etc/alternatives'])
    walls.push('--ro-bind-try', place, place);
  walls.push('--ro-bind', places.rm, '/usr/bin/rm', '--bind', places.notes, '/notes', '--bind', places.texts, '/texts');
  const env = { PATH: '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };
  execFileSync(bubblewrap ?? '', [...walls, 'bash', '-c', driver, '_', ...texts.map((_, number) => String(number))], {
    env,
  });
  const numbers = readFileSync(places.notes, 'utf8').split('\n').slice(0, -1);
  return numbers.map((number) => texts[Number(number)] ?? 'a text that hid its number');
}

test.skipIf(bubblewrap === undefined)(
  'no text takes long to judge, and none that is allowed deletes recursively or by force',
  async () => {
    let slowest = { text: '', ms: 0 };
    const allowed: string[] = [];
    const deletes: string[] = [];
    for (const text of fc.sample(gateTexts, { numRuns, seed })) {
      // The processor time of this thread alone: the machine may have other work.
      const before = process.threadCpuUsage();
      const { kind } = assessShell(text, gateFacts());
      const { user, system } = process.threadCpuUsage(before);
      const ms = (user + system) / 1_000;
      if (ms > slowest.ms) slowest = { text, ms };
      if (kind === 'allow') allowed.push(text);
    }
    for (let at = 0; at < allowed.length; at += 1_000)
      deletes.push(...deleting(allowed.slice(at, at + 1_000), await temporaryFolder()));
    expect({ seed, deletes }).toEqual({ seed, deletes: [] });
    expect(slowest.ms, `seed ${seed}: ${slowest.text}`).toBeLessThan(1_000);
    // Else nothing was looked at.
    expect(allowed.length).toBeGreaterThan(numRuns / 50);
  },
  asked === undefined ? 60_000 : 3_600_000,
);
