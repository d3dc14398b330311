/** Where a word stands. */
export type Kind = 'identifier' | 'comment' | 'string' | 'page' | 'test-name' | 'test-call';

interface Rule {
  name: string;
  kinds: readonly Kind[];
  pattern: RegExp;
}

const prose: readonly Kind[] = ['comment', 'string', 'page'];

/** Words and phrases that are out, as docs/glossary.md lists them. */
const rules: readonly Rule[] = [
  // Name the thing or use a verb of the field.
  { name: 'verb-say', kinds: ['identifier'], pattern: /^(?:say|tell)s?(?:[A-Z]|$)/ },
  { name: 'vague-name', kinds: ['identifier'], pattern: /^(?:told|said|found|known)$/i },
  {
    name: 'participle-name',
    kinds: ['identifier'],
    pattern:
      /^(?:asked|wanted|meant|heard|gone)$|^(?:told|said)[A-Z]|^(?!is|was|has|not|where|when|why).*[a-z](?:Said|Known|Asked|Wanted|Meant)$/,
  },
  { name: 'words-is-text', kinds: ['identifier'], pattern: /^(?:in|own|last|start|plain|needs|has|for)Words$/i },
  {
    name: 'dialect-name',
    kinds: ['identifier'],
    pattern:
      /^(?:goesOn|takeUp|takingUp|leadsOn|beating|woken|wish|wishes|desk|spots?|story|stories|lack|lackOf|hungry|starved|hadAll|telling|course|breakBy|inWords)$|(?:Telling|Told|Story|Stories|Wish|Desk|Spot|Pulse|Lack|Course|InWords)$/,
  },
  {
    name: 'judge-is-a-model',
    kinds: ['identifier'],
    pattern: /^judge(?:Shell|Git|Write|Program|Sheet|Reading|Path|Place|Call|Calls|Use|File|Files|Effect)$/,
  },
  { name: 'hide-is-redact', kinds: ['identifier'], pattern: /^hide(?:$|(?!Cursor)[A-Z])/ },
  // A comment is a sentence with a subject.
  {
    name: 'comment-without-subject',
    kinds: ['comment'],
    pattern: /^(?:\/\/|\/\*\*?)\s*(?:\* )?(?:Of|Whether|One that|Whose|Whom|Which|Whichever|Nobody's) /,
  },
  {
    name: 'comment-what',
    kinds: ['comment'],
    pattern: /^(?:\/\/|\/\*\*?)\s*(?:\* )?(?:What|Who|Where|Whatever|Whoever|Wherever|Whenever) /,
  },
  {
    name: 'dialect',
    kinds: prose,
    pattern:
      /\b(?:takes? another way|is believed|nobody's business|no business of|puts one off|asks? each for (?:one|a) word|a guess of what it takes|is material|sick environment|stands? in files)\b/i,
  },
  // Old or poetic words, and chains of clauses about a thing without a name.
  {
    name: 'archaic',
    kinds: prose,
    pattern:
      /\b(?:anew|thereby|wherein|therein|thereof|whereof|whereby|whence|hence|lest|albeit|hereby|nobody's|whoever|whomever)\b/i,
  },
  // Only as the subject of a clause: "use the nearest one that is named" has its noun beside it.
  {
    name: 'one-that',
    kinds: prose,
    pattern: /(?:^(?:\/\/|\/\*\*?|[-*>#|\s]*)\s*One|[.!?;:][\s*]+[Oo]ne) (?:that|whose)\b/,
  },
  { name: 'is-none', kinds: prose, pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b(?! of)/i },
  {
    name: 'stands',
    kinds: prose,
    pattern: /\b(?:stands?|stood) (?:above|at|before|behind|below|beside|between|here|inside|there|under)\b/i,
  },
  // A test's full name is a sentence about one behaviour.
  { name: 'test-joined', kinds: ['test-name'], pattern: /;/ },
  { name: 'test-tail', kinds: ['test-name'], pattern: /^(?:that|whose|which|who|and|or|but|than)\b/ },
  { name: 'test-it', kinds: ['test-call'], pattern: /^it$/ },
  {
    name: 'retired',
    kinds: ['string', 'page'],
    pattern:
      /\bleft out\b|\bto do: |\bis no (?:folder|duration|size)\b|\bworker answers\b|\bthe tasks? goes? on\b|\bexits as run\b|\bover one that is there\b|\bshall\b|\bstands still\b|\bread before\b|\bplanned anew\b|\ball else\b|\bsomebody\b|\bthe house\b/i,
  },
];

/** Keys of `report --json`, which programs read: they stay, and are no exceptions to count. */
export const publicKeys: ReadonlySet<string> = new Set(['said', 'told', 'willBeTold']);

/** The names of the rules that a text breaks. */
export const findRetiredWords = (kind: Kind, text: string): string[] =>
  rules.filter(({ kinds, pattern }) => kinds.includes(kind) && pattern.test(text)).map(({ name }) => name);
