import type { Word } from '../shell/words/word.ts';

/** What a program does to a path. */
export type PathRole =
  | 'reads'
  | 'writes'
  /** Changes its mode, owner or times. */
  | 'marks'
  /** Nobody knows: a word of a program that is not known. */
  | 'uses'
  /** It is started. */
  | 'starts';

export interface PathUse {
  word: Word;
  role: PathRole;
  /** Of a program that is not known: a word that begins with a slash may be a route, a name or a pattern. */
  mayBeData?: boolean;
}
