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

export const searchAttributeNames = Object.keys(searchAttributes).filter(
  (name): name is SearchAttributeName => name in searchAttributes,
);

/** The same names for queries and keys, so that nobody spells one. */
export const attributes = {
  state: 'HeddleState',
  project: 'HeddleProject',
  waitingOn: 'HeddleWaitingOn',
  costUsd: 'HeddleCostUsd',
} as const satisfies Record<string, SearchAttributeName>;

/** The types as the server and its command line spell them. */
const typeNames = {
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  DOUBLE: 'Double',
} as const satisfies Record<(typeof searchAttributes)[SearchAttributeName], string>;

export const attributeTypeName = (name: SearchAttributeName): (typeof typeNames)[keyof typeof typeNames] =>
  typeNames[searchAttributes[name]];
