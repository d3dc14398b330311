import { limits } from '../limits/domain-limits.ts';
import { cloudDeletes } from './dangers/cloud-deletes.ts';
import { containerRights } from './dangers/container-rights.ts';
import { databaseResets } from './dangers/database-resets.ts';
import { otherHistories } from './dangers/other-histories.ts';
import { gatheredSecrets, sentSecrets } from './dangers/sent-secrets.ts';
import { databases } from './dangers/databases.ts';
import { deletes } from './dangers/deletes.ts';
import { devices } from './dangers/devices.ts';
import { ask, quoteWord, worst, type GateFinding } from './findings/finding.ts';
import type { Danger, GateFacts, GateRuling } from '../types/basic/gate.ts';
import { gitFindings } from './git/git-findings.ts';
import { onlyLooks } from './git/git-looks.ts';
import { restoreFindings } from './git/git-restores.ts';
import { interpreterFindings, findScriptFile, findScript } from './interpreters.ts';
import { isAllowed, readRules, ruleFindings, writeFindings, type ReadGateRules } from './match-rules.ts';
import { ownCommands } from './dangers/own-commands.ts';
import { permissions } from './dangers/permissions.ts';
import { assessPath, formatSubject, type UsedPath } from './findings/places.ts';
import { privileges } from './dangers/privileges.ts';
import { isReaderCall } from './programs/only-reads.ts';
import { findPathWords } from './programs/path-roles.ts';
import { onlyWraps } from './programs/reader-options.ts';
import { publishing } from './dangers/publishing.ts';
import { settingFindings } from './settings.ts';
import { showAll } from './standing/exact-words.ts';
import { nameFiles, scopeOfCall } from './standing/scope-of-call.ts';
import { isBelow, joinPath } from './shell/words/paths.ts';
import type { ProgramCall, CommandReading } from './shell/words/command-reading.ts';
import { programName, type ShellWord } from './shell/words/word.ts';
import { findWritten, writtenFindings, type Written } from './written-files.ts';

/** Dangers that a person is asked about, also where another program starts the command. */
const named: ReadonlySet<Danger> = new Set<Danger>([
  ...(['delete', 'privilege', 'history', 'publish', 'device', 'sql', 'permissions', 'download', 'secret'] as const),
  'rule',
]);

/** Dangers that a rule of the config may allow: the list of what is always asked about is not among it. */
const liftedByRule: ReadonlySet<Danger> = new Set<Danger>(['code', 'program']);

interface Context {
  facts: GateFacts;
  rules: ReadGateRules;
  reading: CommandReading;
  /** Only dangers that have a name in the list of what is always asked about. */
  onlyNamed: boolean;
  /** Files that the command itself writes. */
  written: Written;
}

/** The ruling about all that a command does, as it was read. A gate that fails does not open. */
export function assessReading(read: () => CommandReading, facts: GateFacts, { onlyNamed = false } = {}): GateRuling {
  try {
    return assessCommand(read(), facts, onlyNamed);
  } catch {
    return worst([ask('unclear', 'It cannot be read, so nobody can say what it does.')]);
  }
}

function assessCommand(reading: CommandReading, given: GateFacts, onlyNamed: boolean): GateRuling {
  const lookup = boundLookup(given.resolve);
  const facts = { ...given, resolve: lookup.resolve };
  const calls = reading.calls.map((call) => ({ call, uses: findUses(call, onlyNamed) }));
  const written = findWritten(calls, reading, facts.resolve);
  const context: Context = { facts, rules: readRules(facts.rules), reading, onlyNamed, written };
  const findings = [
    ...[...reading.problems, ...(facts.sandboxed ? [] : reading.doubts)].map((why) => ask('unclear', why)),
    ...reading.settings.flatMap(settingFindings),
    ...reading.files.flatMap((file) => assessFile(file, context)),
    ...calls.flatMap(({ call, uses }) => assessCall(call, uses, context)),
    ...(onlyNamed
      ? []
      : gatheredSecrets(
          reading,
          calls.flatMap(({ uses }) => uses),
          facts,
        )),
  ];
  const isOver = lookup.isOver() ? [ask('unclear', 'It names more paths than can be looked up.')] : [];
  return worst([...findings, ...isOver].filter((finding) => counts(finding, context)));
}

/** A person may have allowed it for good. */
function counts(finding: GateFinding, { facts, onlyNamed }: Context): boolean {
  if (finding.kind === 'deny') return true;
  if (onlyNamed && !named.has(finding.danger)) return false;
  return finding.signature === null || !facts.allowed.includes(finding.signature);
}

/** Each path is looked up once, and not too many of them. */
function boundLookup(resolve: GateFacts['resolve']): { resolve: GateFacts['resolve']; isOver: () => boolean } {
  const places = new Map<string, string>();
  return {
    resolve: (path, from) => {
      const key = `${from}\u0000${path}`;
      const cached = places.get(key);
      if (cached !== undefined) return cached;
      const place = places.size < limits.gates.paths ? resolve(path, from) : joinPath(from, path);
      places.set(key, place);
      return place;
    },
    isOver: () => places.size > limits.gates.paths,
  };
}

function findUses(call: ProgramCall, onlyNamed: boolean): UsedPath[] {
  if (call.guess) return [];
  const own = call.words.filter((word) => !call.passed.has(word));
  const program = programName(call.words[0]?.text ?? '');
  const reader = isReader(program, call.words);
  return findPathWords(own).map(({ word, role, mayBeData = false }) => ({
    ...{ word, program, reader, mayBeData, folders: call.folders },
    role: onlyNamed && role === 'uses' ? 'reads' : role,
  }));
}

function assessFile({ word, writes, folders }: CommandReading['files'][number], context: Context): GateFinding[] {
  const used: UsedPath = { word, folders, role: writes ? 'writes' : 'reads', reader: false };
  return assessUse(used, context);
}

function assessUse(used: UsedPath, { facts, rules }: Context): GateFinding[] {
  const { word, role, folders } = used;
  const byRule =
    role !== 'writes' || word.kind !== 'plain'
      ? []
      : folders.flatMap((folder) => {
          const place = facts.resolve(word.text, folder);
          return isBelow(place, facts.workspace)
            ? writeFindings(place.slice(facts.workspace.length + 1), rules, formatSubject(used))
            : [];
        });
  return [...byRule, ...assessPath(used, facts)];
}

function assessCall(call: ProgramCall, uses: readonly UsedPath[], context: Context): GateFinding[] {
  const { words, input } = call;
  const { facts } = context;
  const name = programName(words[0]?.text ?? '');
  const script = findScript(name, words);
  const dangers = [
    ...deletes(name, words),
    ...cloudDeletes(name, words),
    ...containerRights(name, words),
    ...databaseResets(name, words, script, input),
    ...otherHistories(name, words),
    ...privileges(name, words),
    ...publishing(name, words),
    ...devices(name, words),
    ...permissions(name, words),
    ...databases(name, words, input),
    ...(name === 'git' ? [...gitFindings(words, facts), ...restoreFindings(words, call.folders, facts)] : []),
  ];
  const own = ownCommands(words, script, { onlyAnswers: context.onlyNamed });
  if (call.guess) return [...own, ...dangers].filter((finding) => finding.kind === 'deny' || named.has(finding.danger));
  const programWords = nameFiles(words, findScriptFile(name, words), (path) => nameOfPlace(path, call, context));
  const scope = programWords === undefined ? undefined : scopeOfCall(programWords);
  const exact = programWords === undefined ? undefined : showAll(programWords);
  const findings = [
    ...own,
    ...dangers,
    ...interpreterFindings(name, words, { network: call.network, exact, input, sandboxed: facts.sandboxed }),
    ...writtenFindings(name, call, context.written, facts.resolve),
    ...(context.onlyNamed ? [] : sentSecrets(name, call, facts)),
    ...lossFindings(name, call, uses, context),
    ...uses.flatMap((used) => assessUse(used, context)),
    ...programFindings(name, call, { uses, scope, context }),
  ];
  const isLifted = isAllowed(call, context.rules);
  return [
    ...ruleFindings(call, context.rules, scope),
    ...findings.filter((finding) => !(isLifted && finding.kind === 'ask' && liftedByRule.has(finding.danger))),
  ];
}

/** `./scripts/build.sh`, wherever it was started from; undefined where it may be one of several files. */
function nameOfPlace(path: string, { folders }: ProgramCall, { facts }: Context): string | undefined {
  const [place, another] = new Set(folders.map((folder) => facts.resolve(path, folder)));
  if (place === undefined || another !== undefined) return undefined;
  return isBelow(place, facts.workspace) ? `.${place.slice(facts.workspace.length)}` : place;
}

/** A file that is moved out of the workspace is gone from it: a sandbox forgets its own folders. */
function lossFindings(
  name: string,
  { folders }: ProgramCall,
  uses: readonly UsedPath[],
  { facts }: Context,
): GateFinding[] {
  if (!/^g?mv$/.test(name)) return [];
  const places = uses.map(({ word }) => facts.resolve(word.text, folders[0] ?? facts.workspace));
  const isInside = places.map((place) => isBelow(place, facts.workspace));
  const leaves = isInside.includes(true) && isInside.at(-1) === false;
  return leaves ? [ask('delete', '`mv` takes files out of the workspace, where they are lost.')] : [];
}

interface Program {
  uses: readonly UsedPath[];
  scope: string | undefined;
  context: Context;
}

const isReader = (name: string, words: readonly ShellWord[]): boolean =>
  isReaderCall(name, words) || (name === 'git' && onlyLooks(words));

/** Without a sandbox, whatever is not known to only read is asked about; where it reaches this machine's services, each time. */
function programFindings(
  name: string,
  { words, passed }: ProgramCall,
  { uses, scope, context }: Program,
): GateFinding[] {
  const { facts, reading } = context;
  const reaches = facts.sandboxed && facts.reachesMachine === true;
  if ((facts.sandboxed && !reaches) || reading.functions.has(words[0]?.text ?? '')) return [];
  // Git runs more than it is told to.
  const isWrapper = passed.size > 0 && name !== 'git';
  const own = words.filter((word) => !passed.has(word));
  const isKnown = isWrapper ? onlyWraps(name, own) : isReader(name, words);
  if (isKnown && uses.every(({ role }) => role !== 'writes' && role !== 'marks')) return [];
  const unknown = `${quoteWord(words[0]?.text ?? '')} is not known to only read, and`;
  return reaches
    ? [ask('program', `${unknown} \`network = true\` lets it reach the services of this machine.`)]
    : [ask('program', `${unknown} there is no sandbox.`, scope)];
}
