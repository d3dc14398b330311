import ts from 'typescript';

/** Maps of a plan that a page shows as a table, each by the keys that lead to it. A kind chooses among the executors. */
const maps: Readonly<Record<string, readonly string[]>> = {
  task: [],
  subtask: ['subtasks'],
  approval: ['approval'],
  planning: ['planning'],
  budget: ['budget'],
  rule: ['subtasks', 'rules'],
  command: ['executor', 'command'],
  activity: ['executor', 'activity'],
  agent: ['executor', 'agent'],
  rung: ['ladder'],
  retry: ['ladder', 'retry'],
  recovery: ['recovery', 'timeout'],
};

/** A marker on a page, and the table behind it. */
const marked = /(<!-- keys of (\w+) -->\n)(?:\n\|[^\n]*)?(?:\n?\|[^\n]*)*/g;

/**
 * The tables of keys in docs/plan-file.md, from the comments that an editor shows at the same keys: the marker `<!-- keys of rung -->`
 * comes before a table that is written here. A key for programs, marked as `@internal`, has no row.
 */
export class PlanTables {
  readonly problems: string[] = [];
  private readonly checker: ts.TypeChecker;
  private readonly plan: ts.Type;

  constructor(checker: ts.TypeChecker, plan: ts.Type) {
    this.checker = checker;
    this.plan = plan;
  }

  /** The page with its tables as the comments say. */
  write(page: string): string {
    const shown = new Set<string>();
    const written = page.replace(marked, (_, marker: string, name: string) => {
      shown.add(name);
      return `${marker}\n${this.table(name)}`;
    });
    for (const name of Object.keys(maps))
      if (!shown.has(name)) this.problems.push(`docs/plan-file.md has no marker <!-- keys of ${name} -->`);
    return written;
  }

  private table(name: string): string {
    const path = maps[name];
    if (path === undefined) throw new Error(`no map of a plan is called ${name}`);
    const type = path.reduce((parent, key) => this.step(parent, key), this.plan);
    const rows = this.properties(type).flatMap((key) => this.row(`${name}.${key.name}`, key));
    return ['| Key | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  }

  private row(where: string, key: ts.Symbol): string[] {
    const about = ts.displayPartsToString(key.getDocumentationComment(this.checker)).replace(/\s*\n\s*/g, ' ');
    if (about === '') this.problems.push(`the key ${where} of a plan has no comment`);
    if (this.tag(key, 'internal') !== undefined) return [];
    const see = this.tag(key, 'see');
    const cells = [
      `\`${key.name}\``,
      this.tag(key, 'defaultValue') ?? '',
      about + (see === undefined ? '' : link(see)),
    ];
    return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`];
  }

  private tag(key: ts.Symbol, name: string): string | undefined {
    const tag = key.getJsDocTags(this.checker).find((one) => one.name === name);
    return tag === undefined ? undefined : ts.displayPartsToString(tag.text).trim();
  }

  /** The map, or the list, under a key. An executor is chosen by its kind. */
  private step(from: ts.Type, key: string): ts.Type {
    const property = this.properties(from).find(({ name }) => name === key);
    if (property !== undefined) return this.checker.getTypeOfSymbol(property);
    const members = from.isUnion() ? from.types : [from];
    const chosen = members.find((member) => this.kindOf(member) === key);
    if (chosen === undefined) throw new Error(`a plan has no key ${key} there`);
    return chosen;
  }

  private kindOf(type: ts.Type): string | undefined {
    const kind = type.getProperty('kind');
    const value = kind === undefined ? undefined : this.checker.getTypeOfSymbol(kind);
    return value?.isStringLiteral() === true ? value.value : undefined;
  }

  /** Keys of a map, whatever else may stand in its place; of a list, those of its items. */
  private properties(type: ts.Type): ts.Symbol[] {
    const members = type.isUnion() ? type.types : [type];
    const [map] = members.filter((member) => (member.flags & ts.TypeFlags.Object) !== 0);
    if (map === undefined || members.filter((member) => this.kindOf(member) !== undefined).length > 1) return [];
    return this.checker.getIndexTypeOfType(map, ts.IndexKind.Number) === undefined
      ? map.getProperties()
      : this.properties(this.checker.getIndexTypeOfType(map, ts.IndexKind.Number) ?? map);
  }
}

/** A path such as `docs/judges.md#votes` as a link of a page in the same folder. */
function link(target: string): string {
  const file = target.replace(/^`docs\/|`$/g, '');
  const anchor = file.startsWith('plan-file.md#') ? file.slice('plan-file.md'.length) : file;
  const [page = ''] = file.split('.md');
  const name = anchor.startsWith('#') ? anchor.slice(1).replaceAll('-', ' ') : page.replaceAll('-', ' ');
  return ` See [${name}](${anchor}).`;
}
