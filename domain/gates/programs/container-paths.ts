import { firstOperand, readArguments, type OptionSpec } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';
import type { PathUse } from './path-use.ts';

/*
 * Most paths in a call of a container engine are places in a container. What is shared with it, copied out of it or read for it are places of
 * this machine. The value of a mount counts at any position: an option that is not known must not hide it.
 */

const runSpec: OptionSpec = {
  values: 'ewuplhmac',
  long: [
    ...[
      'env',
      'workdir',
      'user',
      'publish',
      'label',
      'hostname',
      'memory',
      'name',
      'network',
      'net',
      'entrypoint',
      'cpus',
    ],
    ...[
      'platform',
      'pull',
      'restart',
      'shm-size',
      'add-host',
      'expose',
      'ip',
      'dns',
      'log-driver',
      'log-opt',
      'ulimit',
    ],
    ...['health-cmd', 'health-interval', 'stop-signal', 'stop-timeout', 'gpus', 'runtime', 'detach-keys', 'index'],
  ],
};

/** Verbs whose operands are a container or an image, and a command in it. */
const starting = /^(?:run|exec|create)$/;
const ownFiles = /^--(?:env-file|cidfile|iidfile|metadata-file|label-file|file|project-directory)$/;

/** Places of this machine among the words; undefined where the call is not known. */
export function containerPaths(words: readonly ShellWord[]): PathUse[] | undefined {
  const at = words.findIndex(({ text }, index) => index > 0 && /^(?:run|exec|create|cp)$/.test(text));
  if (at === -1) return undefined;
  const isBehindVerb = words.slice(1, at).every(({ text }) => /^(?:container|compose|-.*)$/.test(text));
  if (!isBehindVerb) return undefined;
  const rest = words.slice(at);
  const shared = [...findMounts(rest), ...findFiles(words)];
  if (words[at]?.text === 'cp') return [...shared, ...copiedPaths(rest)];
  if (
    !starting.test(words[at]?.text ?? '') ||
    firstOperand(rest, { ...runSpec, values: `${runSpec.values ?? ''}v` }) === undefined
  )
    return undefined;
  return shared;
}

/** `-v /a:/b`, `--volume=/a:/b`, `--mount type=bind,source=/a,target=/b`. */
function findMounts(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap((word, at): PathUse[] => {
    const next = words[at + 1];
    const value = /^(?:-[a-z]*v|--volume|--mount)$/.test(word.text)
      ? next
      : withText(word, /^(?:-v|--(?:volume|mount)=)(.+)$/.exec(word.text)?.[1]);
    if (value === undefined) return [];
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(value.text)?.[1] ?? value.text.split(':')[0] ?? '';
    // Without a slash it is the name of a volume.
    return /^[./~\u0000]/.test(source) ? [{ word: { ...value, text: source }, role: 'uses' }] : [];
  });
}

const withText = (word: ShellWord, text: string | undefined): ShellWord | undefined =>
  text === undefined ? undefined : { ...word, text };

function findFiles(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap((word, at): PathUse[] => {
    const [name = '', ...rest] = word.text.split('=');
    if (!ownFiles.test(name)) return [];
    const value = rest.length > 0 ? { ...word, text: rest.join('=') } : words[at + 1];
    return value === undefined ? [] : [{ word: value, role: /id?file$|metadata/.test(name) ? 'writes' : 'reads' }];
  });
}

const labels = /^--(?:build-arg|label|tag|target)$/;

/** The words without values that are no paths in any case. */
export const withoutLabels = (words: readonly ShellWord[]): ShellWord[] =>
  words.filter(({ text }, at) => !labels.test(words[at - 1]?.text ?? '') && !labels.test(text.split('=')[0] ?? ''));

/** `name:path` is in a container. */
function copiedPaths(words: readonly ShellWord[]): PathUse[] {
  const { operands } = readArguments(words);
  return operands.flatMap((word, at): PathUse[] =>
    /^[\w.-]+:/.test(word.text) ? [] : [{ word, role: at === operands.length - 1 ? 'writes' : 'reads' }],
  );
}
