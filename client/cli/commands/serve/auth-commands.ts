import { parseDuration } from '../../../../domain/text/duration.ts';
import type { Role } from '../../../../domain/types/basic/role.ts';
import { renderTable } from '../../../terminal/render/table.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';
import { usageError } from '../../shared/usage-error.ts';

/** Names are told to others as the one who answered: one line, without characters that could stand for something else. */
const nameForm = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._@-]{0,63}$/u;

export interface AddTokenOptions {
  role: Role;
  expires?: string;
}

/** `heddle auth token add`: the token is printed once, and kept by nobody here. */
export async function addTokenCommand(
  { ports, output }: Context,
  name: string,
  { role, expires }: AddTokenOptions,
): Promise<number> {
  if (!nameForm.test(name)) {
    throw usageError('This is not a name for a token', {
      hint: 'Use up to 64 letters, digits, `.`, `_`, `@` or `-`, starting with a letter or a digit.',
    });
  }
  const added = await ports.addToken({
    name,
    role,
    ...(expires === undefined ? {} : { expires: readExpiry(expires) }),
  });
  if (output.json) output.data(added);
  else {
    output.print(added.token);
    const until = added.expiresAt === null ? 'It does not expire' : `It expires at ${added.expiresAt}`;
    output.note(`${until}. Keep it now: it is not shown again.`);
  }
  return exits.done;
}

function readExpiry(text: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0) return duration;
  throw usageError(`--expires is ${text}, which is not a duration`, { hint: 'Write it as 12h or 90d.' });
}

/** `heddle auth token list`. */
export async function listTokensCommand({ ports, output }: Context): Promise<number> {
  const tokens = await ports.listTokens();
  if (output.json) output.data(tokens);
  else if (tokens.length === 0) output.print('Nobody has a token. `heddle auth token add NAME --role ROLE` makes one.');
  else {
    const rows = tokens.map(({ name, role, createdAt, expiresAt, lastUsedAt }) => ({
      cells: [name, role, createdAt, expiresAt ?? 'never', lastUsedAt ?? 'never'],
    }));
    const head = { cells: ['NAME', 'ROLE', 'MADE', 'EXPIRES', 'LAST USED'] };
    output.print(...renderTable([head, ...rows], Infinity, output.paint));
  }
  return exits.done;
}

/** `heddle auth token revoke`: holds from the next request on. */
export async function revokeTokenCommand({ ports, output }: Context, name: string): Promise<number> {
  await ports.revokeToken(name);
  if (output.json) output.data({ name });
  else output.print(`The token of ${name} is revoked.`);
  return exits.done;
}
