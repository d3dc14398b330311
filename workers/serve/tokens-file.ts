import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { isSystemError, systemCode } from '../../activities/system/system-error.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { parseToml } from '../../domain/input/toml.ts';
import { writeToml } from '../../domain/input/toml-write.ts';
import { roles } from '../../domain/types/basic/role.ts';

const entrySchema = z.strictObject({
  role: z.enum(roles),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
});

const fileSchema = z.strictObject({ tokens: z.record(z.string().min(1), entrySchema).optional() });

/** A name that may call the API: the file holds a hash of its token, never the token. */
export interface TokenEntry extends z.infer<typeof entrySchema> {
  name: string;
}

const head = "# Names that may call Heddle's API. `heddle auth token add` and `revoke` write this file.";

/** The names of a file; none where it does not exist. Throws `TOKENS_UNREADABLE`: what cannot be read lets nobody in. */
export function readTokens(path: string): TokenEntry[] {
  let text: string;
  try {
    const { mode } = statSync(path);
    if ((mode & 0o022) !== 0) throw unreadable(path, 'others may write it');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    if (isSystemError(error)) throw unreadable(path, error.message);
    throw error;
  }
  return parse(path, text);
}

function parse(path: string, text: string): TokenEntry[] {
  let value: unknown;
  try {
    ({ value } = parseToml({ name: path, text }));
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(path, `\`${issue?.path.join('.') ?? ''}\`: ${issue?.message ?? ''}`);
  }
  return Object.entries(parsed.data.tokens ?? {}).map(([name, entry]) => ({ name, ...entry }));
}

const unreadable = (path: string, reason: string): HeddleError =>
  new HeddleError({
    code: 'TOKENS_UNREADABLE',
    message: `The file of tokens cannot be read: ${reason}`,
    where: path,
    hint: 'Correct it, or put it aside and add the names again with `heddle auth token add`; nobody is let in by it until then.',
  });

/** Replaces the file as a whole, for its owner only. Called under a lock, so that nothing may be awaited. */
export function writeTokens(path: string, tokens: readonly TokenEntry[]): void {
  const lines = tokens.map(({ name, ...entry }) => `tokens.${JSON.stringify(name)} = ${writeToml(entry)}`);
  const part = `${path}.tmp`;
  rmSync(part, { force: true });
  writeFileSync(part, `${[head, '', ...lines].join('\n')}\n`, { mode: 0o600, flush: true });
  renameSync(part, path);
}

/** True until the token expires. */
export const isValid = ({ expiresAt }: Pick<TokenEntry, 'expiresAt'>): boolean =>
  expiresAt === undefined || Date.parse(expiresAt) > Date.now();

/** Reads a file again when it has changed: a revoked token is refused from the next request on. */
export class TokensReader {
  private seen = '';
  private tokens: TokenEntry[] = [];
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  read(): readonly TokenEntry[] {
    const seen = this.stamp();
    if (seen !== this.seen) {
      this.tokens = readTokens(this.path);
      this.seen = seen;
    }
    return this.tokens;
  }

  private stamp(): string {
    const stats = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeNs, stats.mode].join(':');
  }
}
