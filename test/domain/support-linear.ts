/** Milliseconds of this thread's own work: what else the machine does is not counted. */
function costOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(start).user / 1_000;
}

/** A quadratic pattern takes minutes for a megabyte; whatever is below this is not one. */
const harmless = 500;

/** How much more work an input makes that is eight times as long: about 8 when it is linear, 64 when it is quadratic. */
export function growth(work: (input: string) => void, inputOf: (length: number) => string, length: number): number {
  const long = costOf(() => work(inputOf(length)));
  if (long < harmless) return 1;
  return long / costOf(() => work(inputOf(length / 8)));
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
  ['an ampersand for each letter', (n) => '&'.repeat(n)],
  ['full stops', (n) => `${'.'.repeat(n)}x`],
];
