/*
 * A difference between how the gate reads bash and what bash does is a hole. Texts of a grammar that leads from data to programs are judged;
 * what is allowed is run by a real bash in a sandbox, in which `rm`, `sudo` and `git` only take notes, and files that change are noted too.
 * HEDDLE_GATE_TEXTS=50000 for the long look (`npm run test:gates`), HEDDLE_SEED for one that was seen before.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assessShell } from '../../../domain/gates/assess-shell.ts';
import { evaluatedTexts } from '../../domain/gates/evaluated-texts.ts';
import { gateFacts } from '../../domain/gates/support.ts';
import { temporaryFolder } from '../execute/program/support.ts';
import { bubblewrap } from './support.ts';

const asked = process.env['HEDDLE_GATE_TEXTS'];
const numRuns = Number(asked ?? 3_000);
const seed = Number(process.env['HEDDLE_SEED'] ?? Date.now());
const batch = 1_000;

/** Notes what is always asked about as `named`, the rest as `program`. */
const standIns: Readonly<Record<string, string>> = {
  rm: `kind=program
for word; do
  case $word in
    --) break ;;
    --*)
      case --recursive in "$word"*) kind=named ;; esac
      case --force in "$word"*) kind=named ;; esac
      ;;
    -*[rRf]*) kind=named ;;
  esac
done
echo "$TEXT $kind" >> /notes`,
  sudo: 'echo "$TEXT named" >> /notes',
  git: `case " $* " in
  *" push "*) ;;
  *) exit ;;
esac
case " $* " in
  *" -f "* | *" --f"* | *" +"*) echo "$TEXT named" >> /notes ;;
  *) echo "$TEXT program" >> /notes ;;
esac`,
};

/** A file that is new, gone or newer than before was written. Nothing but the shell's own parts is used: thousands of texts run. */
const driver = `ulimit -c 0 -f 2048
for TEXT in "$@"; do
  export TEXT
  cd "/texts/$TEXT" || exit 1
  timeout -k 1 3 bash -c "$(< /texts/$TEXT.text)" < /dev/null > /dev/null 2>&1
  cd "/texts/$TEXT" || exit 1
  shopt -s dotglob nullglob
  files=(*)
  if [[ "\${files[*]}" != 'a.txt data x' || -n $(find . -newer /texts/old -type f -print -quit) || ! -e x/f ]]; then echo "$TEXT changed" >> /notes; fi
done
exit 0`;

type Kind = 'named' | 'program' | 'changed';

/** The effects that each of the texts was seen to have. */
function runAll(texts: readonly string[], folder: string): Map<string, Set<Kind>> {
  const places = { bin: join(folder, 'bin'), notes: join(folder, 'notes'), texts: join(folder, 'texts') };
  mkdirSync(places.bin);
  mkdirSync(places.texts);
  writeFileSync(places.notes, '');
  for (const [name, text] of Object.entries(standIns))
    writeFileSync(join(places.bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const put = (path: string, content: string): void => {
    writeFileSync(path, content);
    utimesSync(path, 1_000, 1_000);
  };
  put(join(places.texts, 'old'), '');
  utimesSync(join(places.texts, 'old'), 2_000, 2_000);
  for (const [number, text] of texts.entries()) {
    const place = join(places.texts, String(number));
    mkdirSync(join(place, 'x'), { recursive: true });
    put(`${place}.text`, text);
    put(join(place, 'a.txt'), 'b\n');
    put(join(place, 'data'), 'a[$(touch new)]\n');
    put(join(place, 'x', 'f'), 'a\n');
  }
  const walls = ['--unshare-all', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  for (const place of ['/usr', '/bin', '/lib', '/lib64', '/etc/alternatives'])
    walls.push('--ro-bind-try', place, place);
  walls.push('--ro-bind', places.bin, '/stand-ins');
  // Also by its whole path.
  for (const name of Object.keys(standIns))
    if (existsSync(`/usr/bin/${name}`)) walls.push('--ro-bind', join(places.bin, name), `/usr/bin/${name}`);
  walls.push('--bind', places.notes, '/notes', '--bind', places.texts, '/texts');
  const env = { PATH: '/stand-ins:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };
  execFileSync(bubblewrap ?? '', [...walls, 'bash', '-c', driver, '_', ...texts.map((_, number) => String(number))], {
    env,
  });
  const seen = new Map<string, Set<Kind>>();
  for (const line of readFileSync(places.notes, 'utf8').split('\n').slice(0, -1)) {
    const [number, kind] = line.split(' ');
    const text = texts[Number(number)] ?? 'a text that hid its number';
    seen.set(text, (seen.get(text) ?? new Set<Kind>()).add(kind as Kind));
  }
  return seen;
}

test.skipIf(bubblewrap === undefined)(
  'no text that reaches a program of the always-gated list, or without a sandbox any that changes something, is allowed unasked',
  async () => {
    // Some come twice.
    const texts = [...new Set(fc.sample(evaluatedTexts, { numRuns: Math.ceil(numRuns * 1.2), seed }))].slice(
      0,
      numRuns,
    );
    const judged = texts.map((text) => ({
      text,
      inside: assessShell(text, gateFacts()).kind,
      outside: assessShell(text, gateFacts({ sandboxed: false })).kind,
    }));
    const allowed = judged.filter(({ inside, outside }) => inside === 'allow' || outside === 'allow');
    // Some of the texts that are asked about run, too: the grammar has to get there.
    const others = judged.filter((one) => !allowed.includes(one)).slice(0, 200);
    const holes: string[] = [];
    for (let at = 0; at < allowed.length; at += batch) {
      const some = allowed.slice(at, at + batch);
      const seen = runAll(
        some.map(({ text }) => text),
        await temporaryFolder(),
      );
      for (const { text, inside, outside } of some) {
        const kinds = seen.get(text) ?? new Set<Kind>();
        if (inside === 'allow' && kinds.has('named')) holes.push(`in a sandbox: ${text}`);
        if (outside === 'allow' && kinds.size > 0) holes.push(`without a sandbox (${[...kinds].join(', ')}): ${text}`);
      }
    }
    const reached = runAll(
      others.map(({ text }) => text),
      await temporaryFolder(),
    ).size;
    if (asked !== undefined)
      process.stderr.write(
        `seed ${seed}: ${texts.length} texts, ${allowed.length} allowed, ${reached} of ${others.length} asked ones reached a program\n`,
      );
    expect({ seed, holes: holes.slice(0, 40), count: holes.length }).toEqual({ seed, holes: [], count: 0 });
    expect(allowed.length).toBeGreaterThan(texts.length / 50);
    expect(reached).toBeGreaterThan(others.length / 8);
  },
  asked === undefined ? 120_000 : 3_600_000,
);
