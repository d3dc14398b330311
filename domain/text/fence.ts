/** A block of code in Markdown, whatever is in it: the fence is longer than any inside. */
export function fence(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, found) => Math.max(most, found.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
