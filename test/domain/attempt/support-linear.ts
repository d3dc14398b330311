/** Milliseconds of this thread's own work: what else the machine does is not counted. */
function costOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(start).user / 1_000;
}

/** Below this nothing can be told, and nothing is wrong. */
const harmless = 100;

/** How many pieces an input is compared with. */
const pieces = 64;

/** Limit of `growth` unless work is repeated for each character: far from both 1 and 64, so that no load of the machine is taken for it. */
export const linear = 10;

/**
 * How much more work one long input makes than as many characters in 64 inputs: about 1 when it is linear, 64 when it is quadratic.
 * The long one is not tried when a shorter one has shown it already. What seems to be too much is measured again: a garbage
 * collection hits one and not the other.
 */
export function growth(work: (input: string) => void, inputOf: (length: number) => string, length: number): number {
  let least = Infinity;
  for (let times = 0; times < 3 && least > linear / 2; times += 1)
    least = Math.min(least, growthOnce(work, inputOf, length));
  return least;
}

function growthOnce(work: (input: string) => void, inputOf: (length: number) => string, length: number): number {
  let worst = 1;
  for (const whole of [length / 8, length]) {
    const [long, short] = [inputOf(whole), inputOf(whole / pieces)];
    const cost = costOf(() => work(long));
    if (cost <= harmless) continue;
    const inPieces = costOf(() => {
      for (let times = 0; times < pieces; times += 1) work(short);
    });
    worst = Math.max(worst, cost / Math.max(inPieces, 1));
    if (worst > linear) return worst;
  }
  return worst;
}

/** Inputs that make a careless pattern look at the same characters again and again. */
export const traps: [name: string, input: (length: number) => string][] = [
  ['one word', (n) => 'a'.repeat(n)],
  ['words with dots', (n) => 'a.'.repeat(n / 2)],
  ['digits', (n) => '1'.repeat(n)],
  ['digits and dots', (n) => '1.'.repeat(n / 2)],
  ['letters and digits', (n) => 'a1'.repeat(n / 2)],
  ['hex', (n) => 'f0'.repeat(n / 2)],
  ['slashes', (n) => '/'.repeat(n)],
  ['a long path', (n) => `${'/a'.repeat(n / 2)}!`],
  ['backslashes', (n) => '\\a'.repeat(n / 2)],
  ['drives', (n) => 'c:'.repeat(n / 2)],
  ['apostrophes', (n) => "'".repeat(n)],
  ['open quotation marks', (n) => '"a'.repeat(n / 2)],
  ['backticks', (n) => '` '.repeat(n / 2)],
  ['spaces', (n) => `${' '.repeat(n)}x`],
  ['line ends', (n) => '\n'.repeat(n)],
  ['carriage returns', (n) => '\r'.repeat(n)],
  ['short lines', (n) => 'ab \n'.repeat(n / 4)],
  ['colours', (n) => '\u001b['.repeat(n / 2)],
  ['one colour without an end', (n) => `\u001b[${'1'.repeat(n)}`],
  ['titles of a terminal', (n) => '\u001b]0;'.repeat(n / 4)],
  ['stack frames', (n) => ' at f (x.js:1:1)'.repeat(n / 16)],
  ['a stack frame without an end', (n) => `at ${':1'.repeat(n / 2)}x`],
  ['many beginnings of frames', (n) => ' at '.repeat(n / 4)],
  ['a Python frame without an end', (n) => `File "${'", line '.repeat(n / 8)}x`],
  ['carets', (n) => `${'^'.repeat(n)}x`],
  ['locks', (n) => "unable to create '".repeat(n / 18)],
  ['beginnings of refusals', (n) => 'authentication api key is permission access '.repeat(n / 44)],
  ['beginnings of rules', (n) => 'error: rate limit status code 4 token is not '.repeat(n / 45)],
  ['beginnings of JSON members', (n) => '{"error":"type": '.repeat(n / 17)],
  ['names of exceptions', (n) => 'a.b.c.'.repeat(n / 6)],
  ['an ampersand for each letter', (n) => '&'.repeat(n)],
  ['full stops', (n) => `${'.'.repeat(n)}x`],
];
