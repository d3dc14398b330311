/** A text as it is compared with others: composed characters, single spaces, nothing at its ends. */
export const foldText = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The same for names of targets and claims, whose capitals and last mark do not count. */
export const foldName = (text: string): string =>
  foldText(text)
    .toLowerCase()
    .replace(/[\s.:;,!?…。：！？、]+$/u, '');
