/*
 * The kinds of lines in an output. Most lines of a failed program are not its complaint: reports of tests and compilers, code,
 * warnings, advice. Each pattern is anchored or bounded, so the whole is linear.
 */

const matchesAny =
  (patterns: readonly RegExp[]) =>
  (line: string): boolean =>
    patterns.some((pattern) => pattern.test(line));

/** Lines without information, or with nothing but a hint that something above has failed. */
export const isNoise = matchesAny([
  /^[^\p{L}\p{N}]*$/u,
  // Node prints these below the message of an uncaught error.
  /^ *(?:at .*\{|(?:errno|code|syscall|path|dest|address|port|hostname): .*|Node\.js v\S+)$/,
  /^\s*make(?:\[\d+\])?: \*\*\*/,
  /^\s*(?:error )?(?:exit|exited with|process exited with)(?: status| code)? \d+\.?$/i,
  /^\s*hint:/,
  // Git prints these below the reason why it did not reach a remote.
  /^(?:fatal: Could not read from remote repository\.|Please make sure you have the correct access rights|and the repository exists\.)$/,
  /^(?:npm (?:error|ERR!)\s*)?(?:A complete log of this run|Lifecycle script|command (?:sh|failed)|path |workspace )/,
  /^.{0,40}\bELIFECYCLE\b/,
  /^.{0,60}\bcommand failed with exit code \d/i,
  /^.{0,30}\bProcess completed with exit code \d/,
  /^(?:info Visit https|error: script "|The above exception was|During handling of the above|\(Use `node --trace)/,
  /^\s*(?:note: run with `RUST_BACKTRACE|For more information)/,
]);

/** Reports of a test or a compiler, or of a mistake in a program: errors quoted in or around them are not the cause. */
export const isReport = matchesAny([
  /^\s*[✓✔√✗✘✕✖×●○❯⎯](?!\s*(?:error|fatal|failed)\b)/iu,
  /^\s*(?:not )?ok \d/,
  /^\s*--- (?:FAIL|PASS)/,
  /^\s*(?:FAIL|PASS|FAILED|PASSED|XFAIL|FAILURES)\b(?!:)/,
  /^\s*(?:={3,}|E {3}|-->\s)/,
  /^\s*\d+ (?:passed|failed|failing|passing|errors?|problems?|tests?|specs?|examples?)\b/,
  /^\s*(?:Tests?:|Tests? {1,3}\d|Test (?:Files|Suites|result)|test result:|test \S+ \.\.\.|Failures?:|Ran \d+ tests?|Found \d+ errors?)/,
  /^\s*(?:[-+>] )?(?:Expected\b|expected\b|Actual:|actual:|Received(?::| value))/,
  /^\s*(?:[\w$]{1,80}[.:]){0,10}Assert\w*/,
  /^\s*assert\b/,
  /^\s*(?:Uncaught )?(?:Type|Reference|Syntax|Range|Key|Value|Index|Attribute|Name|Import|ModuleNotFound|ZeroDivision|Indentation|NullPointer)(?:Error|Exception)\b(?!: fetch failed)/,
  /^(?:panic:|thread '.{0,80}' panicked)/,
  /^\s*(?:error\[E\d+\]|error TS\d+|error: aborting due to)/,
  /^\s*[^\s:()]{1,200}\.[A-Za-z]\w{0,7}:\d+(?::\d+)?(?::|\s|$)/,
  /^\s*[^\s()]{1,200}\(\d+,\d+\):/,
]);

/** Code, comments, markup, lists and diffs are text, not a complaint. A login shell calls itself `-bash`. */
export const isQuotedText = matchesAny([
  /^\s*(?:\/\/|\/?\*|#{1,6}\s|<!--|<\/?[a-z]|\d+ ?\||>)/,
  /^\s*[+-](?!(?:bash|sh|zsh|ksh|dash):)/,
  /^\s*(?:throw|raise|import|from|const|let|var|def|function|class|export|case|catch|except)\s/,
  /^\s*return (?!code|status)/,
  /^\s*(?:describe|it|test|expect|if|while|for|console\.\w+|print|echo)\s?\(/,
]);

/** Warnings are not the reason why a program ended, whatever they mention. */
export const isWarning = matchesAny([
  /^\s*\[?(?:warn(?:ing)?|info|debug|notice)\]?(?::|\s|$)/i,
  /^\s*(?:npm (?:warn|WARN)|W:|\(node:\d+\))/,
  /^.{0,60}\bDeprecationWarning\b/,
]);
