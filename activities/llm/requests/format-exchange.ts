/** One text of a conversation without tools. */
export interface ExchangeText {
  /** The heading above it, such as `Request` or the name of a model. */
  from: string;
  text: string;
}

/** A conversation with a planner or a judge as Markdown, for people who want to see what it was told and what it replied. */
export const formatExchange = (title: string, texts: readonly ExchangeText[]): string =>
  `# ${title}\n\n${texts.map(({ from, text }) => `## ${from}\n\n${text.trim()}\n`).join('\n')}`;
