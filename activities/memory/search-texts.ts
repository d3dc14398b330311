import MiniSearch from 'minisearch';

/** Words that say nothing about a subject. */
const stopWords = new Set(
  `a about after again all also always an and any are as at be because been before but by can could did do does done down each
  every file files for from had has have he her his how if in into is it its just make made more most must need never new no not
  now of off on once one only or other our out over own she should so some such task than that the their them then there these
  they this those through to too under until up use used using very was we were what when where which while who why will with
  would yes you your`.split(/\s+/u),
);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Splits a text into words of any script. A name such as `release_notes.md` has several. */
function tokenize(text: string): string[] {
  const segments = [...segmenter.segment(text.normalize('NFKC'))];
  return segments.flatMap(({ segment, isWordLike }) => (isWordLike === true ? segment.split(/[^\p{L}\p{N}]+/u) : []));
}

/** Folds case and the English plural; null for words without meaning. */
function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  if (stopWords.has(word) || /^[a-z0-9]?$/u.test(word)) return null;
  return /[^s]s$/u.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** The terms of a search, each once: a long text repeats its words, and each would be searched for again. */
const listTerms = (text: string): string[] => [...new Set(tokenize(text).flatMap((token) => processTerm(token) ?? []))];

interface Entry {
  id: string;
  text: string;
}

/** An index of short texts, such as lessons. */
export class TextIndex {
  readonly #index: MiniSearch<Entry>;

  constructor(texts: readonly Entry[]) {
    this.#index = new MiniSearch<Entry>({ fields: ['text'], tokenize, processTerm });
    // An id that occurs twice would be refused.
    this.#index.addAll([...new Map(texts.map(({ id, text }) => [id, { id, text }])).values()]);
  }

  /** Ids of texts that share at least `least` words with a text, the most relevant first. `prefix`: the beginning of a word is enough. */
  search(text: string, least: number, { prefix = false } = {}): string[] {
    return this.#index
      .search(text, { combineWith: 'OR', prefix, fuzzy: false, tokenize: listTerms, processTerm: (term) => term })
      .filter(({ terms }) => new Set(terms).size >= least)
      .map(({ id }) => String(id));
  }
}
