/* Elements of HTML by what they mean for the text of a page. */

/** Nothing in them is text for readers. */
export const silentTags: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'canvas', 'audio', 'video', 'map'],
  ...['select', 'textarea', 'datalist', 'annotation', 'annotation-xml', 'frameset', 'noframes', 'noembed'],
]);

/** Parts of a page beside its content. */
export const asideTags: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'form', 'dialog', 'menu']);

/** Elements that may be beside the content, or a part of it where they are inside of its main part. */
export const mayBeContent: ReadonlySet<string> = new Set(['aside', 'form', 'footer']);

/** Roles of the same meaning, on elements without one. */
export const asideRoles: ReadonlySet<string> = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'menu', 'menubar'],
]);

/** Elements that begin and end a block. */
export const blockTags: ReadonlySet<string> = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'caption',
    'center',
    'dd',
    'details',
    'dialog',
    'dir',
    'div',
  ],
  ...['dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header'],
  ...['hgroup', 'hr', 'html', 'legend', 'li', 'main', 'menu', 'nav', 'ol', 'optgroup', 'option', 'p', 'pre', 'search'],
  ...['section', 'summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'title', 'tr', 'ul'],
]);

/** Elements without an end. */
export const emptyTags: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
]);

/** Elements whose end need not be written: the next of their kind ends them. */
export const openEnded: ReadonlySet<string> = new Set(['p', 'li', 'dt', 'dd', 'td', 'th', 'tr', 'option', 'tbody']);
