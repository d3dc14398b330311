/**
 * The search attributes of a task and their types, spelled as the SDK's `defineSearchAttributeKey` takes them.
 * SQL visibility has 10 Keyword, 3 KeywordList and 3 Double columns per namespace, so this list stays short.
 */
export const searchAttributes = {
  HeddleState: 'KEYWORD',
  HeddleProject: 'KEYWORD',
  /** Kinds of the open decisions. */
  HeddleWaitingOn: 'KEYWORD_LIST',
  HeddleCostUsd: 'DOUBLE',
} as const;

export type SearchAttributeName = keyof typeof searchAttributes;
