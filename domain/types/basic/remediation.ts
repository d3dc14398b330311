/** The reasons for which a result may be kept while something is still owed: evidence, and nothing else. */
export type EvidenceReason = 'evidence-gap' | 'unconfirmed-data';

/** The next step for a result that misses nothing but evidence, once its ladder is spent. */
export type RemediationPolicy = 'block' | 'confirm-or-prune-then-queue' | 'queue-follow-up';
