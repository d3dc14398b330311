import { lostSession } from '../../../domain/agent-clis/settle.ts';
import { formatLine } from '../../../domain/agent-clis/format-line.ts';
import type { CommandExecutor } from '../../../domain/executors/command.ts';
import { cancelledMeanwhile } from '../../../domain/failure/classify.ts';
import { buildFailure } from '../../../domain/failure/build-failure.ts';
import type { Failed, Outcome, Suspended } from '../../../domain/types/outcome.ts';
import type { CliResult } from '../../../domain/types/basic/completion-contract.ts';
import { addUsed, usedBy } from '../../../domain/llm/usage.ts';
import { handedOver } from '../../attempt/live-execution.ts';
import type { Interrupted } from '../../attempt/open-attempt.ts';
import type { OwnedRecord } from '../../attempt/owned-record.ts';
import { inputsFile, inputsVariable, removeOtherScratch, scratchFolder } from '../../attempt/attempt-scratch.ts';
import { explainStart } from '../../programs/explain-start.ts';
import type { NotStarted } from '../../programs/explain-start.ts';
import { readIdentity } from '../../programs/process-identity.ts';
import { runProgram } from '../../programs/run-program.ts';
import type { ProgramResult } from '../../programs/run-program.ts';
import { redactKnownSecrets } from '../../redact/known-secrets.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { isSystemError } from '../../system/system-error.ts';
import type { AttemptExecution } from '../../attempt/attempt-execution.ts';
import type { ExecutionParts } from '../../attempt/execution-parts.ts';
import { gateProgram, type ProgramGate } from './gate-program.ts';
import { contractTail, describeCrash, describeNotStarted, describeRun, readRun } from './describe-execution.ts';
import type { Facts } from './describe-execution.ts';
import { buildOutcome, buildOutcomeFacts } from './describe-outcome.ts';
import { prepareProgram } from './prepare-program.ts';
import { keepProgramEvidence } from './program-evidence.ts';
import type { Prepared } from './prepare-program.ts';
import { computePlanWait } from './plan-wait.ts';
import { asTransient } from '../../temporal/transient-failure.ts';

/** One execution of a program's attempt. */
export class ProgramExecution implements AttemptExecution {
  readonly #parts: ExecutionParts<CommandExecutor>;
  readonly #owned: OwnedRecord;
  readonly #redactor: Redactor;
  /** A person was asked about the program that runs. */
  #gated = false;

  constructor(parts: ExecutionParts<CommandExecutor>) {
    this.#parts = parts;
    this.#owned = parts.owned;
    this.#redactor = parts.secrets.redactor(parts.attempt.variables);
  }

  /** It runs again, unless the plan says to ask first. */
  async afterCrash(interrupted: Interrupted): Promise<Outcome | undefined> {
    const { attempt, store, live } = this.#parts;
    const { paths, record } = this.#owned;
    const { output } = attempt.executor;
    const left = await describeCrash(interrupted, paths, { store, redactor: this.#redactor, output });
    await removeOtherScratch(paths, record.run);
    if (live.signal.reason === 'cancelled') return this.#closeCancelled(left);
    if (attempt.executor.onCrash === 'ask') return this.#close(left);
    this.#count(left);
    return undefined;
  }

  async execute(): Promise<Outcome | typeof handedOver> {
    const gate = gateProgram(this.#parts.attempt, (text) => this.#redact(text));
    if (gate.kind !== 'open') return this.#hold(gate);
    this.#gated = gate.isApproved;
    const program = await this.#prepare(gate.executor);
    if ('message' in program) return this.#close(describeNotStarted(program));
    const { result, read } = await this.#runInSession(program, gate.executor);
    if (result.startError !== undefined) {
      const where = { argv: program.argv, cwd: program.cwd, path: program.env.PATH ?? '' };
      return this.#close(describeNotStarted(await explainStart(result.startError, where)));
    }
    if (result.truncated) this.#owned.warn('the output of a program was too long, and its end was dropped');
    const facts = await describeRun(result, program, { store: this.#parts.store, read });
    return result.end === 'aborted' ? this.#leave(facts) : this.#close(facts);
  }

  /** It does not start: a person is asked, or a rule says no, which a person is told. */
  #hold(gate: Exclude<ProgramGate, { kind: 'open' }>): Promise<Outcome> {
    const facts = buildOutcomeFacts(this.#owned.record, {});
    if (gate.kind === 'denied') {
      const summary = `Its program may not run: ${gate.why}`;
      return this.#owned.end({
        kind: 'failed',
        failure: buildFailure('safety', { summary, signed: 'gate', hasExplanation: false }),
        ...facts,
      });
    }
    const reason = 'It needs approval before its program starts.';
    const { asks } = gate;
    return this.#owned.end({
      kind: 'suspended',
      why: 'approval',
      reason,
      waitMs: null,
      checkpoint: null,
      asks,
      ...facts,
    });
  }

  async #close(facts: Facts, run = this.#owned.record.run): Promise<Outcome> {
    this.#count(facts);
    const came = buildOutcome(facts, this.#owned.record, this.#parts.attempt.input.timeout);
    const evidence = await this.#keepEvidence(run);
    const outcome = { ...came, ...(this.#gated ? { gated: true as const } : {}), ...evidence };
    const waiting = outcome.kind === 'failed' ? this.#waitForPlan(facts, outcome) : undefined;
    if (waiting !== undefined) return this.#owned.end(waiting);
    const transient = outcome.kind === 'failed' ? asTransient(facts, outcome) : undefined;
    if (transient === undefined) return this.#owned.end(outcome);
    await this.#owned.finish({ state: 'waiting' });
    throw transient;
  }

  /** Keeps the records that the program wrote. A person who operates the worker reads about lines that hold none. */
  async #keepEvidence(run: string): Promise<Pick<Outcome, 'evidence'>> {
    const { attempt, store, root, secrets } = this.#parts;
    const parts = { store, root, environment: secrets.environment, redact: (text: string) => this.#redact(text) };
    const { evidence, trouble } = await keepProgramEvidence(parts, attempt, scratchFolder(this.#owned.paths, run));
    if (trouble !== undefined) this.#owned.warn(trouble);
    return evidence === undefined ? {} : { evidence };
  }

  /** Somebody has ended the task; what it used until then still counts. */
  async #closeCancelled(facts: Facts): Promise<Outcome> {
    this.#count(facts);
    return this.#owned.end({
      kind: 'failed',
      failure: cancelledMeanwhile(),
      ...buildOutcomeFacts(this.#owned.record, facts),
    });
  }

  /** Adds what one execution says it used. */
  #count({ contract, cli }: Pick<Facts, 'contract' | 'cli'>): void {
    const { record } = this.#owned;
    const { used, session } = record;
    this.#owned.note({ used: addUsed(used, usedBy(cli, contract)) });
    if (cli?.session !== undefined) this.#owned.note({ session: { ...session, id: cli.session } });
  }

  /** The limit of a plan is lifted at a known time: the attempt stands still until then, on the workflow's clock. */
  #waitForPlan(facts: Facts, { failure }: Failed): Suspended | undefined {
    const { planWaits = 0 } = this.#owned.record;
    const waitMs = computePlanWait(facts.cli?.error, failure, { waited: planWaits, now: Date.now() });
    if (waitMs === undefined) return undefined;
    this.#owned.note({ planWaits: planWaits + 1 });
    const recorded = {
      ...buildOutcomeFacts(this.#owned.record, facts),
      ...(this.#gated ? { gated: true as const } : {}),
    };
    return { kind: 'suspended', why: 'wait', reason: failure.summary, waitMs, checkpoint: null, ...recorded };
  }

  /** A conversation that is gone is no reason to fail: the program starts a new one, and the record says so. */
  async #runInSession(
    program: Prepared,
    { output }: CommandExecutor,
  ): Promise<{ result: ProgramResult; read: CliResult | undefined }> {
    const first = await this.#runOnce(program, output);
    const { result, read } = first;
    if (program.fresh === undefined || output === undefined || read === undefined || result.end !== 'exited')
      return first;
    if (!lostSession(output, read, result.stderrTail)) return first;
    this.#owned.warn('the conversation of an agent program is gone, and it starts a new one');
    this.#parts.live.note({ line: 'its earlier conversation is gone; it starts a new one' });
    this.#owned.note({ session: { id: '', lost: true } });
    return this.#runOnce({ ...program, argv: program.fresh }, output);
  }

  async #runOnce(
    program: Prepared,
    output: CommandExecutor['output'],
  ): Promise<{ result: ProgramResult; read: CliResult | undefined }> {
    const result = await this.#run(program, output);
    await this.#owned.refuseUnlessOurs();
    return { result, read: await readRun(output, result, program) };
  }

  /** The session of an earlier execution of this attempt, else that of the attempt before. */
  #session({ resume }: CommandExecutor): string | undefined {
    const { session } = this.#parts.attempt.input;
    if (resume === undefined) return undefined;
    const { session: earlier } = this.#owned.record;
    if (earlier !== undefined) return earlier.id || undefined;
    if (session !== undefined) this.#owned.note({ session: { id: session, continued: true } });
    return session;
  }

  async #prepare(executor: CommandExecutor): Promise<Prepared | NotStarted> {
    const { attempt, store, secrets } = this.#parts;
    const { paths, record } = this.#owned;
    try {
      const session = this.#session(executor);
      const sessionOption = session === undefined ? {} : { session };
      return await prepareProgram(
        { ...attempt, executor },
        { store, secrets, redactor: this.#redactor, paths, run: record.run, ...sessionOption },
      );
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return { exitCode: null, message: error.message };
    }
  }

  #redact(text: string): string {
    return redactKnownSecrets(this.#redactor.text(text));
  }

  #run(program: Prepared, output: CommandExecutor['output']): Promise<ProgramResult> {
    const { attempt, live } = this.#parts;
    const { paths, record } = this.#owned;
    return runProgram({
      ...program,
      mark: `${inputsVariable}=${inputsFile(paths, record.run)}`,
      attemptMark: record.mark,
      timeout: attempt.input.timeout,
      signal: live.signal,
      tailBytes: contractTail,
      onLine: (line) => this.#tell(output === undefined ? line : formatLine(output, line)),
      onStart: (pid) => this.#recordStart(pid),
    });
  }

  #tell(line: string | undefined): void {
    if (line !== undefined) this.#parts.live.note({ line });
  }

  async #recordStart(pid: number): Promise<void> {
    this.#parts.live.note({ pid });
    const program = readIdentity(pid);
    // Undefined: it has ended already.
    await this.#owned.write(program === undefined ? {} : { program });
  }

  /** The program is gone already. Only a person's cancellation ends the attempt; the rest lets another worker go on. */
  async #leave(facts: Facts): Promise<Outcome | typeof handedOver> {
    if (this.#parts.live.signal.reason === 'cancelled') return this.#closeCancelled(facts);
    this.#count(facts);
    const hasRun = this.#owned.record.program !== undefined;
    await this.#owned.finish({ state: hasRun ? 'handed-over' : 'waiting' });
    return handedOver;
  }
}
