import { hasOption, readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import { hole, plainWord, type ShellWord } from '../shell/words/word.ts';

/*
 * The files that a command gets from the network. A program that is got and then started is code that nobody has seen, in two steps instead of
 * one (`wget U && bash f`). Where the name of the file is only known when it runs, whatever lies in its folder may be it.
 */

export interface Downloads {
  files: readonly ShellWord[];
  /** All that is below them may come from the network. */
  folders: readonly ShellWord[];
}

const nothing: Downloads = { files: [], folders: [] };
const here = plainWord('.');

type Read = (words: readonly ShellWord[]) => Downloads;

/** The name that a file at an address is saved as; undefined: only the run tells. */
function nameOfAddress({ text }: ShellWord): string | undefined {
  const path = text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  const name = path.split('/').at(-1) ?? '';
  return name === '' || name.includes(hole) ? undefined : name;
}

const inFolder = (folder: ShellWord, name: string): ShellWord => ({ ...folder, text: `${folder.text}/${name}` });

/** Files that are saved under the last part of their addresses. */
function savedByName(addresses: readonly ShellWord[], folder: ShellWord, isNamedElsewhere: boolean): Downloads {
  const names = addresses.map(nameOfAddress);
  const isUnknown = isNamedElsewhere || names.includes(undefined);
  return {
    files: names.flatMap((name) => (name === undefined ? [] : [inFolder(folder, name)])),
    folders: isUnknown ? [folder] : [],
  };
}

const wgetSpec: OptionSpec = {
  values: 'OoaPiteTUQBADRIX',
  long: [
    'output-document',
    'directory-prefix',
    'input-file',
    'output-file',
    'header',
    'user-agent',
    'post-data',
    'tries',
  ],
};

const wget: Read = (words) => {
  const given = readArguments(words, wgetSpec);
  const outputs = listOptionValues(given, { letter: 'O', long: 'output-document' });
  if (outputs.length > 0) return { files: outputs, folders: [] };
  const [folder = here] = listOptionValues(given, { letter: 'P', long: 'directory-prefix' });
  const isNamedElsewhere =
    listOptionValues(given, { letter: 'i', long: 'input-file' }).length > 0 ||
    given.options.some(({ text }) => /^(?:-[a-zA-Z]*[rm]|--(?:rec|mir|content-d|trust-s|page-r))/.test(text));
  return savedByName(given.operands, folder, isNamedElsewhere);
};

const curlSpec: OptionSpec = {
  values: 'oTKbcdFHuAXemrQwxEytzPYCD',
  long: [
    'output',
    'output-dir',
    'url',
    'header',
    'data',
    'user',
    'request',
    'user-agent',
    'config',
    'max-time',
    'retry',
  ],
};

const curl: Read = (words) => {
  const given = readArguments(words, curlSpec);
  const [folder = here] = listOptionValues(given, { long: 'output-dir' });
  const outputs = listOptionValues(given, { letter: 'o', long: 'output' }).map((word) =>
    folder === here ? word : inFolder(folder, word.text),
  );
  const isNamed = given.options.some(({ text }) => /^--remote-n/.test(text));
  if (!isNamed && !hasOption(given.options, { letter: 'O' }, curlSpec)) return { files: outputs, folders: [] };
  const byHeader =
    hasOption(given.options, { letter: 'J' }, curlSpec) || given.options.some(({ text }) => /^--remote-h/.test(text));
  const saved = savedByName([...given.operands, ...listOptionValues(given, { long: 'url' })], folder, byHeader);
  return { files: [...outputs, ...saved.files], folders: saved.folders };
};

const aria: Read = (words) => {
  const given = readArguments(words, {
    values: 'odixsjkUc',
    long: ['out', 'dir', 'input-file', 'header', 'user-agent'],
  });
  const [folder = here] = listOptionValues(given, { letter: 'd', long: 'dir' });
  const outputs = listOptionValues(given, { letter: 'o', long: 'out' }).map(({ text }) => inFolder(folder, text));
  if (outputs.length > 0) return { files: outputs, folders: [] };
  return savedByName(
    given.operands,
    folder,
    given.values.some(({ option }) => /^(?:-i|--in)/.test(option)),
  );
};

const httpie: Read = (words) => {
  const spec = { values: 'oasp', long: ['output', 'auth', 'session', 'print'] };
  const given = readArguments(words, spec);
  const outputs = listOptionValues(given, { letter: 'o', long: 'output' });
  if (outputs.length > 0) return { files: outputs, folders: [] };
  return hasOption(given.options, { letter: 'd', long: 'download' }, spec) ? savedByName([], here, true) : nothing;
};

const isRemote = ({ text }: ShellWord): boolean =>
  /^(?:[\w.-]+@)?[\w.-]+:|^[a-z+]+:\/\//.test(text) && !/^[.~/]/.test(text);

/** `scp host:file .`. */
const copies: Read = (words) => {
  const { operands } = readArguments(words, { values: 'PiFoclSJe', long: ['rsh', 'exclude', 'include'] });
  const target = operands.at(-1);
  const sources = operands.slice(0, -1).filter(isRemote);
  if (target === undefined || sources.length === 0 || isRemote(target)) return nothing;
  const names = sources.map(({ text }) => text.split(/[/:]/).at(-1) ?? '');
  const copied = names.map((name) => (name === '' ? target : inFolder(target, name)));
  return { files: [target, ...copied], folders: copied };
};

/** `sftp host:file`. */
const byAddress: Read = (words) => {
  const [source, target = here] = readArguments(words, { values: 'PiFocbBRJ' }).operands;
  const name = source === undefined || !isRemote(source) ? '' : (source.text.split(/[/:]/).at(-1) ?? '');
  return name === '' ? nothing : { files: [target, inFolder(target, name)], folders: [] };
};

/** `git clone ADDRESS FOLDER`; without a folder, it is called like the address. */
const cloned = (operands: readonly ShellWord[]): Downloads => {
  const [address, folder] = operands;
  if (address === undefined || (!isRemote(address) && address.kind !== 'open')) return nothing;
  const name = nameOfAddress({ ...address, text: address.text.replace(/\/+$/, '').replace(/^[^/]*:(?!\/\/)/, '/') });
  return { files: [], folders: [folder ?? (name === undefined ? here : plainWord(name.replace(/\.git$/, '')))] };
};

const behindVerb =
  (verbs: readonly string[], spec: OptionSpec): Read =>
  (words) => {
    const { operands } = readArguments(words, spec);
    return verbs.every((verb, at) => operands[at]?.text === verb) ? cloned(operands.slice(verbs.length)) : nothing;
  };

const cloneSpec: OptionSpec = {
  values: 'bocujCr',
  long: ['branch', 'origin', 'config', 'depth', 'jobs', 'reference', 'filter', 'separate-git-dir', 'template'],
};

/** A folder of git may come before the verb: `git -C d clone ADDRESS`. */
const clonedByGit: Read = (words) => {
  const { verb, words: rest, folders } = readGit(words);
  if (verb !== 'clone') return nothing;
  const saved = cloned(readArguments(rest, cloneSpec).operands);
  const from = folders.at(-1);
  return from === undefined ? saved : { files: [], folders: saved.folders.map(({ text }) => inFolder(from, text)) };
};

const savesHere: Read = () => savedByName([], here, true);

/** `svn checkout ADDRESS FOLDER`, `svn export ADDRESS FILE`. */
const subversion: Read = (words) => {
  const [verb, ...rest] = readArguments(words, { values: 'r', long: ['revision', 'depth'] }).operands;
  if (!/^(?:checkout|co|export)$/.test(verb?.text ?? '')) return nothing;
  const saved = cloned(rest);
  return { files: saved.folders, folders: saved.folders };
};

/** Copies out of a store: `s3 cp s3://bucket/file .`. */
const fromStore =
  (...verbs: readonly (readonly string[])[]): Read =>
  (words) => {
    const { operands } = readArguments(words, { long: ['profile', 'region', 'exclude', 'include'] });
    const used = verbs.find((one) => one.every((verb, at) => operands[at]?.text === verb));
    const [source, target = here] = used === undefined ? [] : operands.slice(used.length);
    if (source === undefined || !isRemote(source) || isRemote(target)) return nothing;
    const name = nameOfAddress(source);
    return { files: [target, ...(name === undefined ? [] : [inFolder(target, name)])], folders: [target] };
  };

const azure: Read = (words) => {
  const { operands, values } = readArguments(words, { values: 'fnc', long: ['file', 'name', 'container-name'] });
  const isDownload = operands[0]?.text === 'storage' && operands.some(({ text }) => /^download/.test(text));
  return isDownload ? { files: listOptionValues({ values }, { letter: 'f', long: 'file' }), folders: [] } : nothing;
};

/** `gh repo clone A/R`, `gh gist clone ID`, `gh release download`, `gh run download`. */
const github: Read = (words) => {
  const spec = { ...cloneSpec, values: 'pDRO', long: ['pattern', 'dir', 'repo', 'output', 'archive', 'name'] };
  const given = readArguments(words, spec);
  const [group, verb, address, folder] = given.operands;
  if (verb?.text === 'download') {
    const outputs = listOptionValues(given, { letter: 'O', long: 'output' });
    const [into = here] = listOptionValues(given, { letter: 'D', long: 'dir' });
    return { files: outputs, folders: [into] };
  }
  const isClone = /^(?:repo|gist)$/.test(group?.text ?? '') && verb?.text === 'clone';
  const name = address?.text
    .split('/')
    .at(-1)
    ?.replace(/\.git$/, '');
  return isClone && name !== undefined ? { files: [], folders: [folder ?? plainWord(name)] } : nothing;
};

const readers: Readonly<Record<string, Read>> = {
  ...{
    wget,
    wget2: wget,
    curl,
    aria2c: aria,
    axel: aria,
    http: httpie,
    https: httpie,
    httpie,
    xh: httpie,
    xhs: httpie,
  },
  // By the name of the address, as wget does without options.
  ...{ fetch: wget, wcurl: wget, puf: wget, 'lwp-download': wget },
  ...{ svn: subversion, bzr: behindVerb(['branch'], cloneSpec), fossil: behindVerb(['clone'], cloneSpec) },
  ...{ aws: fromStore(['s3', 'cp'], ['s3', 'sync']), gsutil: fromStore(['cp'], ['rsync']), s5cmd: fromStore(['cp']) },
  ...{ gcloud: fromStore(['storage', 'cp'], ['storage', 'rsync']), s3cmd: fromStore(['get']), mc: fromStore(['cp']) },
  ...{ rclone: fromStore(['copy'], ['copyto'], ['sync']), azcopy: fromStore(['copy'], ['cp']), az: azure },
  ...{ glab: github, lftp: savesHere, ftp: savesHere },
  ...{ scp: copies, rsync: copies, sftp: byAddress },
  ...{ git: clonedByGit, hg: behindVerb(['clone'], cloneSpec) },
  gh: github,
};

export function findDownloads(name: string, words: readonly ShellWord[]): Downloads {
  return Object.hasOwn(readers, name) ? (readers[name]?.(words) ?? nothing) : nothing;
}
