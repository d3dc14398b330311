/**
 * Tells whether files that match a glob may lie in a folder that cannot be looked into. In doubt yes: a segment with anything but stars is
 * taken for any name.
 */
export function mayHold(folder: string, pattern: string): boolean {
  if (pattern.startsWith('!')) return false;
  const patternParts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  const names = folder.split('/').filter((part) => part !== '');
  for (const [index, name] of names.entries()) {
    const part = patternParts[index];
    // A glob that names a folder stands for all below it; a glob that ends with a star does not.
    if (part === undefined) return !pattern.endsWith('*');
    if (part.includes('**') || /[{(]/.test(pattern)) return true;
    if (!matches(name, part)) return false;
  }
  return names.length < patternParts.length || !pattern.endsWith('*');
}

function matches(name: string, part: string): boolean {
  if (/[?[\]!+@\\]/.test(part)) return true;
  const pieces = part.split('*').map((piece) => piece.replace(/[.$^|]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(name);
}
