/** `path` as seen from `folder`, without `.` and `..`; links are not followed. Below `~` is a home folder, wherever that is. */
export function joinPath(folder: string, path: string): string {
  if (isHome(path)) return path;
  if (isHome(folder) && !path.startsWith('/')) return `${folder}/${path}`;
  const full = path.startsWith('/') ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of full.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The place is the folder or something in it. Both are absolute. */
export const isBelow = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A path may begin at a home folder. */
export const isHome = (path: string): boolean => path.startsWith('~');
