import { isSecretPath, mayNameSecret } from '../../workspace/secret-path.ts';
import { isSecretPlace, mayHoldSecrets } from '../../workspace/secret-place.ts';
import { ask, deny, quoteWord, type GateFinding } from './finding.ts';
import type { GateFacts } from '../../types/basic/gate.ts';
import type { PathRole } from '../programs/path-use.ts';
import { isBelow, isHome, joinPath } from '../shell/words/paths.ts';
import { hole, type ShellWord } from '../shell/words/word.ts';

/** A path in a call. */
export interface UsedPath {
  word: ShellWord;
  role: PathRole;
  /** Folders that it may be seen from. */
  folders: readonly string[];
  /** The program that uses it; undefined: the shell itself. */
  program?: string;
  /** A program that only reads may be allowed for good to look at what is outside. */
  reader: boolean;
  /** Perhaps it is no path at all. */
  mayBeData?: boolean;
}

/** The program that uses a path, for a sentence. */
export const formatSubject = ({ program }: Pick<UsedPath, 'program'>): string =>
  program === undefined ? 'The shell' : quoteWord(program);

/** With what only the run will tell as `…`. */
const showWord = ({ text }: ShellWord): string => quoteWord(text.replaceAll(hole, '…'));

export type PlaceFacts = Pick<
  GateFacts,
  'workspace' | 'readRoots' | 'forbidden' | 'sandboxed' | 'walled' | 'resolve' | 'exists'
>;

/** Folders of the system and its programs: everybody may read them. */
const systemFolders =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /etc/ssl/certs /etc/alternatives'.split(' ');
const systemFiles = new Set(['/etc/os-release', '/etc/debian_version', '/etc/mime.types', '/etc/shells']);
/** Files, among the devices. */
const sharedMemory = '/dev/shm';
const temporary = ['/tmp', '/var/tmp', sharedMemory];
const harmlessDevices = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+|tty)$/;
const readableDevices = /^\/dev\/(?:zero|random|urandom|full)$/;

/** The findings about a path, from each folder that it may be seen from. */
export function assessPath(used: UsedPath, facts: PlaceFacts): GateFinding[] {
  const { word, folders } = used;
  if (word.text === '' || word.text.includes('\n')) return [];
  // A name that only the run will tell may be any name; but the way up is visible.
  if (word.kind === 'open' && !/^(?:[/~]|.*(?:^|\/)\.\.(?:\/|$))/.test(word.text)) return openPath(used, facts);
  const certain = certainPart(word);
  return [...folders.flatMap((folder) => assessPlace(certain, { ...used, folder }, facts)), ...openPath(used, facts)];
}

/** A write to a place that nobody knows may be anything; a read there, the sandbox limits. */
function openPath(used: UsedPath, { sandboxed }: PlaceFacts): GateFinding[] {
  const { word, role, reader } = used;
  if (word.kind !== 'open') return [];
  if (role === 'writes' || role === 'marks')
    return [ask('unclear', `${formatSubject(used)} changes a file whose name is only known when it runs.`)];
  return reader && !sandboxed
    ? [ask('unclear', `${formatSubject(used)} reads a file whose name is only known when it runs.`)]
    : [];
}

/** The part of the place that is certain: of `/etc/*.conf` the folder `/etc`. */
export function certainPart({ text, kind }: ShellWord): string {
  if (kind === 'plain') return text;
  const parts = text.split('/');
  const end = parts.findIndex((part) => part.includes(hole) || (kind === 'pattern' && /[*?[{]/.test(part)));
  if (end === -1) return text;
  // `.*` may be the folder above.
  const mayGoUp = kind === 'pattern' && parts.some((part, at) => at < parts.length - 1 && /^\.[.*?[]/.test(part));
  const ups = kind === 'open' ? parts.slice(end).filter((part) => part === '..') : [];
  const certain = [...parts.slice(0, end), ...(mayGoUp ? ['..'] : ups)];
  return certain.join('/') || (text.startsWith('/') ? '/' : '.');
}

function assessPlace(path: string, used: UsedPath & { folder: string }, facts: PlaceFacts): GateFinding[] {
  const joined = joinPath(used.folder, path);
  // A path that leads out by its words alone is outside, whatever is there.
  const places = isHome(joined)
    ? [joined]
    : [facts.resolve(path, used.folder), ...(path.includes('..') ? [joined] : [])];
  const isRelative = !/^[/~]/.test(path);
  return places.flatMap((place) => assessResolved(place, used, { ...facts, isRelative }));
}

function assessResolved(place: string, used: UsedPath, facts: PlaceFacts & { isRelative: boolean }): GateFinding[] {
  const shown = showWord(used.word);
  if (facts.forbidden.some((folder) => isBelow(place, folder) && !isOwnCopy(place, folder, facts)))
    return [deny(`${formatSubject(used)} reaches ${shown}, which belongs to Heddle itself.`)];
  if (isBelow(place, facts.workspace)) return insideWorkspace(place, used, facts);
  if (place.startsWith('/dev/') && !isBelow(place, sharedMemory)) return device(place, used);
  const writes = used.role === 'writes' || used.role === 'marks';
  if (facts.walled && writes && !isOwnScratch(place, facts)) return [refuseWrite(formatSubject(used), shown)];
  if (isReachable(place, used, facts) || isNoPlace(place, used, facts)) return [];
  const verb = writes ? 'changes' : 'reaches';
  if (isSecretPlace(place))
    return [ask('secret', `${formatSubject(used)} ${verb} ${shown}, where secrets are kept, outside the workspace.`)];
  const why = `${formatSubject(used)} ${verb} ${shown}, which is outside the workspace.`;
  return [ask('outside', why, verb === 'reaches' ? readingScope(place, used) : undefined)];
}

/** Programs whose operands are files: what they may read for good are the files of one folder. Others look through the folder that they are given. */
const ofFiles = new Set(
  'cat tac nl head tail wc sort uniq cut paste join comm fold fmt column expand unexpand rev cmp od hexdump strings jq sed awk gawk mawk md5sum sha1sum sha256sum sha512sum b2sum cksum sum zcat bzcat xzcat'.split(
    ' ',
  ),
);

/** The scope of an answer for good about reading outside: this program, in this folder. */
function readingScope(place: string, { program, reader, word }: UsedPath): string | undefined {
  if (!reader || program === undefined || word.kind !== 'plain' || word.maybe || place.includes('..')) return undefined;
  if (ofFiles.has(program)) return `${program} ${place.slice(0, place.lastIndexOf('/')) || '/'}`;
  return mayHoldSecrets(place) ? undefined : `${program} ${place}`;
}

/** A person's yes could not make it last, so nobody is asked. */
export const refuseWrite = (subject: string, shown: string): GateFinding =>
  deny(`${subject} changes ${shown} outside the workspace, where nothing lasts that a command in the sandbox writes.`);

/** The sandbox has a `/tmp` of its own. Where the workspace lies in the real one, its neighbours there are somebody's. */
function isOwnScratch(place: string, { workspace, isRelative }: PlaceFacts & { isRelative: boolean }): boolean {
  const root = temporary.find((folder) => isBelow(place, folder));
  if (root === undefined || isRelative) return false;
  const [, neighbours = ''] = workspace.startsWith(`${root}/`)
    ? (/^([^/]+)\/./.exec(workspace.slice(root.length + 1)) ?? [])
    : [];
  return neighbours === '' || !isBelow(place, `${root}/${neighbours}`);
}

/** The copy that a subtask works in lies among what is Heddle's. */
const isOwnCopy = (place: string, folder: string, { workspace }: PlaceFacts): boolean =>
  isBelow(workspace, folder) && isBelow(place, workspace);

function isReachable(place: string, { role }: UsedPath, facts: PlaceFacts): boolean {
  if (facts.sandboxed && temporary.some((folder) => isBelow(place, folder))) return true;
  if (role === 'writes' || role === 'marks') return false;
  if (facts.readRoots.some((folder) => isBelow(place, folder))) return true;
  return systemFiles.has(place) || systemFolders.some((folder) => isBelow(place, folder));
}

/** A route (`/login`) or a name (`/CN=x`): nothing of it is there, and nothing in a sandbox can make it. */
const isNoPlace = (place: string, { word, mayBeData = false }: UsedPath, { sandboxed, exists }: PlaceFacts): boolean =>
  sandboxed &&
  mayBeData &&
  word.text.startsWith('/') &&
  /^\/[^/]/.test(place) &&
  !exists(`/${place.split('/')[1] ?? ''}`);

function device(place: string, used: UsedPath): GateFinding[] {
  const { role, word } = used;
  const isOnlyRead = role === 'reads' || role === 'uses' || role === 'starts';
  if (harmlessDevices.test(place) || (isOnlyRead && readableDevices.test(place))) return [];
  if (isOnlyRead) return [ask('outside', `${formatSubject(used)} reads the device ${showWord(word)}.`)];
  return [ask('device', `${formatSubject(used)} writes to the device ${showWord(word)}.`)];
}

/** Inside, only what is special is asked about. */
function insideWorkspace(place: string, used: UsedPath, { workspace }: PlaceFacts): GateFinding[] {
  const { word, role } = used;
  if (role === 'reads' || role === 'starts' || role === 'marks') return [];
  const inside = place.slice(workspace.length + 1);
  const shown = showWord(word);
  const names = inside.toLowerCase().split('/');
  if (isSecretPath(inside) || mayBeSecret(word))
    return [ask('secret', `${formatSubject(used)} changes ${shown}, where secrets are kept.`)];
  if (role !== 'writes') return [];
  if (names.at(-1) === 'heddle.toml')
    return [ask('config', `${formatSubject(used)} changes ${shown}, which says what Heddle may run.`)];
  if (names.includes('.git'))
    return [ask('history', `${formatSubject(used)} changes ${shown}, where git keeps the history.`)];
  return [];
}

/** A pattern that begins like the name of a secret: `.e*`. */
const mayBeSecret = ({ text, kind }: ShellWord): boolean => kind === 'pattern' && mayNameSecret(text);
