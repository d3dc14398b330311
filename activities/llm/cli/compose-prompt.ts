import type { Message, ModelRequest } from '../ports/model.ts';
import { parseArguments } from '../provider/to-prompt.ts';

/** One prompt of a whole request: a program takes a single text. Earlier replies are marked, so that a correction is understood. */
export function composePrompt({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): string {
  const [first] = messages;
  const isOne = messages.length === 1 && first?.from === 'user';
  const parts = isOne ? [first.text] : [...messages.map(formatMessage), 'Answer the last message.'];
  return [...(system === '' ? [] : [system]), ...parts].join('\n\n');
}

function formatMessage(message: Message): string {
  switch (message.from) {
    case 'user':
      return block('message', message.text);
    case 'model':
      return block('your_reply', message.parts.map(formatPart).join('\n'));
    case 'tools':
      return block('results', message.results.map(({ tool, text }) => `${tool}: ${text}`).join('\n'));
  }
}

const formatPart = (part: Extract<Message, { from: 'model' }>['parts'][number]): string =>
  part.type === 'call' ? `${part.tool} ${JSON.stringify(parseArguments(part.input) ?? part.input)}` : part.text;

/** A closing tag in a text must not end its block. */
const block = (name: string, text: string): string =>
  `<${name}>\n${text.replaceAll(`</${name}`, `&lt;/${name}`)}\n</${name}>`;
