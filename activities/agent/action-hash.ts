import { canonicalJson } from '../../domain/text/canonical-json.ts';
import { sha256 } from '../system/hash-file.ts';

/** All that decides what an action does: where one of these is another, it is another action. */
export interface Action {
  tool: string;
  arguments: unknown;
  /** Paths that it would change, by every link. */
  paths: readonly string[];
  cwd: string;
}

/** An approval is bound to this hash. */
export const actionHash = ({ tool, arguments: given, paths, cwd }: Action): string =>
  sha256(canonicalJson({ tool, arguments: given, paths, cwd }));
