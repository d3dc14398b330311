/** End of one attempt of a program. `fail`: the ladder; `ask`: a person at once. */
export type Ending = 'fail' | 'ask';

/** A program whose endings are a function of its attempt: what becomes of it can be computed. */
export interface Program {
  id: string;
  dependsOn: string[];
  synthesis: boolean;
  /** Without a person at the top of its ladder it fails. */
  person: boolean;
  /** Ends of its first attempts; those after them succeed. */
  endings: Ending[];
  /** By its exit code, or by a result that its check does not accept. */
  failsBy: 'exit' | 'check';
  slowMs: number;
  /** Leaves a process behind that would run for minutes. */
  forks: boolean;
  printsBytes: number;
  /** So often its first attempt asks to be run later (exit 75). */
  busy: number;
  /** So often its first attempt meets a full disk. */
  full: number;
}

/** The file in which `check` programs leave what is checked. */
export const deliverableOf = ({ id }: Pick<Program, 'id'>): string => `out/${id}.txt`;

/**
 * Its shell. Before anything else it takes its prompt, which comes only when its start is on record; then every start, and every end
 * that asks for another run of the same attempt, is a line of the witness file.
 */
export function shellOf(program: Program, witnessFile: string): string {
  const { slowMs, forks, printsBytes, busy, full } = program;
  return [
    'cat > /dev/null',
    `say() { echo "$1 $HEDDLE_SUBTASK_ID $HEDDLE_ATTEMPT $HEDDLE_IDEMPOTENCY_KEY $$" >> '${witnessFile}'; }`,
    `past() { grep -cF "$1 $HEDDLE_SUBTASK_ID $HEDDLE_ATTEMPT $HEDDLE_IDEMPOTENCY_KEY " '${witnessFile}'; }`,
    'say start',
    ...(forks ? ['sleep 300 > /dev/null 2>&1 &'] : []),
    ...(printsBytes > 0 ? [`head -c ${printsBytes} /dev/zero | tr '\\0' x | fold -w 100; echo`] : []),
    ...(slowMs > 0 ? [`sleep ${slowMs / 1000}`] : []),
    ...(busy > 0 ? [`if ${firstOf('busy', busy)}; then say busy; echo "busy, come back later" >&2; exit 75; fi`] : []),
    ...(full > 0
      ? [`if ${firstOf('full', full)}; then say full; echo "ENOSPC: no space left on device" >&2; exit 1; fi`]
      : []),
    `case $HEDDLE_ATTEMPT in`,
    ...program.endings.map((ending, index) => `${index + 1}) ${ending === 'ask' ? asks : fails(program)} ;;`),
    'esac',
    ...(program.failsBy === 'check' ? [`mkdir -p out; echo good > ${deliverableOf(program)}`] : []),
    'say done; echo done',
  ].join('\n');
}

const firstOf = (what: string, times: number): string =>
  `[ "$HEDDLE_ATTEMPT" = 1 ] && [ "$(past ${what})" -lt ${times} ]`;

const asks = 'say done; echo "not allowed to do this" >&2; exit 77';

/** Always the same words: one signature for all its failures. */
const fails = (program: Program): string =>
  program.failsBy === 'check'
    ? `mkdir -p out; echo bad > ${deliverableOf(program)}; say done; echo done; exit 0`
    : 'say done; echo "the gear broke" >&2; exit 1';
