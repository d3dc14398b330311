/** Where a word stands. */
export type Kind = 'identifier' | 'comment' | 'string' | 'page';

interface Rule {
  name: string;
  kinds: readonly Kind[];
  pattern: RegExp;
}

const prose: readonly Kind[] = ['comment', 'string', 'page'];

/** Words and phrases that are out, as docs/glossary.md lists them. */
const rules: readonly Rule[] = [
  // Name the thing or use a verb of the field.
  { name: 'verb-say', kinds: ['identifier'], pattern: /^(?:say|tell)(?:[A-Z]|$)/ },
  { name: 'vague-name', kinds: ['identifier'], pattern: /^(?:told|said|found|known)$/i },
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
    pattern: /^(?:\/\/|\/\*\*?)\s*(?:\* )?(?:Of|Whether|One that|Whose) /,
  },
  { name: 'comment-what', kinds: ['comment'], pattern: /^(?:\/\/|\/\*\*?)\s*(?:\* )?(?:What|Who|Whoever|Where) / },
  {
    name: 'dialect',
    kinds: prose,
    pattern:
      /\b(?:takes? another way|is believed|nobody's business|no business of|puts one off|asks? each for (?:one|a) word|a guess of what it takes|is material|sick environment|stands? in files)\b/i,
  },
  {
    name: 'retired',
    kinds: ['string', 'page'],
    pattern:
      /\bleft out\b|\bto do: |\bis no (?:folder|duration|size)\b|\bworker answers\b|\bthe tasks? goes? on\b|\bexits as run\b|\bover one that is there\b|\bshall\b|\bstands still\b|\bread before\b|\bplanned anew\b|\ball else\b|\bsomebody\b|\bthe house\b/i,
  },
];

/** The names of the rules that a text breaks. */
export const findRetiredWords = (kind: Kind, text: string): string[] =>
  rules.filter(({ kinds, pattern }) => kinds.includes(kind) && pattern.test(text)).map(({ name }) => name);
