import { hidden, innerWords, type Inner } from '../words/inner.ts';
import { firstOperand, type OptionSpec } from '../words/options.ts';
import type { ShellWord } from '../words/word.ts';

/** A program that starts the program behind its options. */
interface Runner extends OptionSpec {
  /** Operands before that program. */
  skip?: number;
}

/** Programs whose only purpose here is to start another one. */
const runners: Readonly<Record<string, Runner>> = {
  nice: { values: 'n', long: ['adjustment'] },
  ionice: { values: 'cnpPu', long: ['class', 'classdata', 'pid', 'pgid', 'uid'] },
  chrt: { values: 'TPD', long: ['sched-runtime', 'sched-period', 'sched-deadline'], skip: 1 },
  taskset: { skip: 1 },
  numactl: { values: 'iNmCplwP' },
  prlimit: { values: 'p', long: ['pid'] },
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  nohup: {},
  setsid: {},
  stdbuf: { values: 'ioe', long: ['input', 'output', 'error'] },
  unbuffer: {},
  rlwrap: { values: 'bfHlsCP' },
  timeout: { values: 'ks', long: ['kill-after', 'signal'], skip: 1 },
  gtimeout: { values: 'ks', long: ['kill-after', 'signal'], skip: 1 },
  time: { values: 'fo', long: ['format', 'output'] },
  chroot: { skip: 1 },
  unshare: { values: 'SGRw', long: ['setuid', 'setgid', 'root', 'wd', 'propagation'] },
  nsenter: { values: 'tSG', long: ['target', 'setuid', 'setgid'] },
  setpriv: { long: ['reuid', 'regid', 'groups', 'inh-caps', 'bounding-set', 'securebits', 'ambient-caps'] },
  pkexec: { long: ['user'] },
  gosu: { skip: 1 },
  'su-exec': { skip: 1 },
  fakeroot: { values: 'lfbsiu', long: ['lib', 'faked'] },
  proot: { values: 'rbwq' },
  firejail: {},
  bwrap: {},
  strace: { values: 'oepsaEuPSXIbO', long: ['trace', 'output', 'signal', 'status'] },
  ltrace: { values: 'oepsaEuFnADlx', long: ['output'] },
  valgrind: {},
  catchsegv: {},
  'xvfb-run': { values: 'npesfw', long: ['server-num', 'server-args', 'auth-file', 'error-file', 'wait'] },
  'dbus-run-session': { long: ['config-file', 'dbus-daemon'] },
  'systemd-run': { values: 'pEMHtuG', long: ['property', 'setenv', 'machine', 'host', 'unit', 'uid', 'gid'] },
  'systemd-inhibit': { long: ['what', 'who', 'why', 'mode'] },
  caffeinate: { values: 'tw' },
  busybox: {},
  toybox: {},
  winpty: {},
  wine: {},
  'cross-env': {},
  entr: {},
};

/** The loader of the system starts the program that it is given. */
const loader = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)?$/;

export function unwrapRunner(name: string, words: readonly ShellWord[]): Inner[] | undefined {
  const runner = loader.test(name) ? {} : Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (runner === undefined) return undefined;
  const start = firstOperand(words, runner);
  return start === undefined ? [hidden] : innerWords(words.slice(start + (runner.skip ?? 0)));
}
