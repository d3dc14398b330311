import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Arguments by which a Node takes itself for another version: for machines that have no other. */
export function pretendVersion(version: string): string[] {
  const versions = `{value:{...process.versions,node:'${version}'}}`;
  return ['--import', `data:text/javascript,Object.defineProperty(process,'versions',${versions})`];
}

/** The command of a Node that is too old for Heddle: a real one of the PATH, or this one in disguise. */
export function olderNode(): readonly [string, ...string[]] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const older = folders.find((folder) => {
    const { error, stdout } = spawnSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' });
    return error === undefined && /^v(18|20|21)\./.test(stdout);
  });
  return older === undefined ? [process.execPath, ...pretendVersion('20.0.0')] : [join(older, 'node')];
}
