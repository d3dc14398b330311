import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { makeFolders } from './home/make-folders.ts';
import { sharedCacheFolder } from '../activities/home/xdg.ts';

// Loaded before anything else. Most of a short command's time goes into compiling: Node keeps what it compiled, in a folder that only this
// user can write (Node's own choice would be one that all users share). Where it cannot be kept, everything works as without.
const folder = join(sharedCacheFolder(process.env), 'compiled');
try {
  makeFolders(folder);
  enableCompileCache(folder);
} catch {
  // A home that cannot be written.
}
