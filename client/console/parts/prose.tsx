import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

/** Longer texts are shown as they are: a lexer must not keep a page busy. */
const mostChars = 200_000;

/** Markdown as elements. HTML in it is shown as text; no link leads anywhere but to the web. */
export function Prose({ text }: { text: string }) {
  if (text.length > mostChars) return <pre class="plain">{text}</pre>;
  try {
    return <div class="prose">{blocks(lexer(text))}</div>;
  } catch {
    // A text that is nested too deep for the lexer.
    return <pre class="plain">{text}</pre>;
  }
}

const blocks = (tokens: readonly Token[]): ComponentChildren => tokens.map((token) => block(token as Tokens.Generic));

function block(token: Tokens.Generic): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading);
    case 'paragraph':
    case 'text':
      return token.type === 'paragraph' ? <p>{inline(token)}</p> : <span>{inline(token)}</span>;
    case 'code':
      return (
        <pre class="plain">
          <code>{token['text'] as string}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    default:
      return <p>{token.raw}</p>;
  }
}

/** The page has headings of its own above: those of a text are smaller. */
function heading({ depth, ...token }: Tokens.Heading) {
  const Level = depth <= 1 ? 'h3' : 'h4';
  return <Level>{inline(token)}</Level>;
}

function list({ ordered, items }: Tokens.List) {
  const rows = items.map((item) => <li>{blocks(item.tokens)}</li>);
  return ordered ? <ol>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell) => (
              <th scope="col">{inlines(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{inlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inline = (token: Tokens.Generic): ComponentChildren =>
  token.tokens === undefined ? ((token['text'] as string | undefined) ?? token.raw) : inlines(token.tokens);

const inlines = (tokens: readonly Token[]): ComponentChildren => tokens.map((token) => span(token as Tokens.Generic));

function span(token: Tokens.Generic): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token)}</strong>;
    case 'em':
      return <em>{inline(token)}</em>;
    case 'del':
      return <del>{inline(token)}</del>;
    case 'codespan':
      return <code>{token['text'] as string}</code>;
    case 'br':
      return <br />;
    case 'escape':
      return token['text'] as string;
    case 'link':
      return link(token as Tokens.Link);
    case 'text':
      return inline(token);
    default:
      return token.raw;
  }
}

function link({ href, ...token }: Tokens.Link) {
  const content = inline(token);
  if (!/^https?:\/\//i.test(href)) return content;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}
