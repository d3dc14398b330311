import type { ShellWord } from '../shell/words/word.ts';

/** The use that a program makes of a path. */
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
  word: ShellWord;
  role: PathRole;
  /** In words of a program that is not known, one that begins with a slash may be a route, a name or a pattern. */
  mayBeData?: boolean;
}
