import { canonicalJson } from '../../domain/text/canonical-json.ts';
import { sha256 } from '../system/hash-file.ts';

/** All that decides what an action does: where one of these is another, it is another action. */
export interface Action {
  tool: string;
  arguments: unknown;
  /** Where it would change something, by every link. */
  paths: readonly string[];
  cwd: string;
}

/** What an approval is bound to. */
export const actionHash = ({ tool, arguments: given, paths, cwd }: Action): string =>
  sha256(canonicalJson({ tool, arguments: given, paths, cwd }));
