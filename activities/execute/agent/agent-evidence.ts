import type { ConversationLog } from '../../agent/conversation-log.ts';
import { isKeptNote } from '../../../domain/conversation/conversation.ts';
import { lastNumber, ofOtherAttempts } from '../../../domain/evidence/merge-attempt.ts';
import { readDraft } from '../../../domain/evidence/read-draft.ts';
import type { EvidencePage } from '../../../domain/types/basic/evidence.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import type { AgentAttempt } from '../../attempt/attempt.ts';
import { describeKept } from '../../attempt/kept-attempt.ts';
import { keepAttempt, openPage, type GivenRecords, type KeepParts } from '../../evidence/keep-attempt.ts';
import { listAnswered, listReads } from '../../evidence/list-reads.ts';
import { readsOfTask } from '../../evidence/reads-of-task.ts';
import type { PublicEnvironment } from '../../redact/secrets.ts';
import { note } from '../../tools/loop-tools.ts';
import { readArguments } from '../../tools/common/read-arguments.ts';

interface AgentEvidenceParts extends Pick<KeepParts, 'store' | 'root' | 'redact'> {
  attempt: AgentAttempt;
  secrets: { environment: PublicEnvironment };
}

/** The records that an agent keeps with `note`, and the sources that its calls read. */
export class AgentEvidence {
  readonly #parts: AgentEvidenceParts;
  #page: Promise<EvidencePage> | undefined;

  constructor(parts: AgentEvidenceParts) {
    this.#parts = parts;
  }

  /** The number of the last record before this attempt: the same in all of its executions. */
  async lastNumber(): Promise<number> {
    return lastNumber(ofOtherAttempts((await this.#open()).records, this.#key()));
  }

  /** Confirms all records of the conversation so far. An execution that ends later does so again. */
  async keep(log: Pick<ConversationLog, 'entries'>): Promise<Ref | undefined> {
    const { store, root, secrets, redact, attempt } = this.#parts;
    const answered = listAnswered(log.entries);
    const kept = answered.filter(({ answer }) => isKeptNote(answer));
    const page = await this.#open();
    const after = await this.lastNumber();
    const drafts = kept.flatMap(({ call }, index): GivenRecords['drafts'] => {
      const read = readArguments(note, call.input);
      const draft = read.kind === 'valid' ? readDraft(read.args) : undefined;
      return draft === undefined ? [] : [{ ...draft, number: after + index + 1 }];
    });
    const given: GivenRecords = {
      by: 'agent',
      drafts,
      reads: listReads(answered, store),
      otherReads: onceRead(() => readsOfTask(attempt.paths, store)),
    };
    const parts = { store, root, environment: secrets.environment, redact };
    return keepAttempt(parts, describeKept(attempt), { page, given });
  }

  #open(): Promise<EvidencePage> {
    const { store, attempt } = this.#parts;
    return (this.#page ??= openPage(store, attempt.input));
  }

  #key(): { task: string; attempt: number } {
    const { taskId, attempt } = this.#parts.attempt.input;
    return { task: taskId, attempt };
  }
}

/** Many records may ask for it. */
function onceRead<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}
