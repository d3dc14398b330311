import { dirname } from 'node:path';
import { apiFiles } from '../../activities/home/home-layout.ts';
import { openDatabase } from '../../activities/store/open-database.ts';
import { sha256 } from '../../activities/system/hash-file.ts';
import { isSystemError } from '../../activities/system/system-error.ts';
import type { TokensPort } from '../../client/ports/tokens.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { heddleHome, makeFolder, notWritable, type Environment } from '../home/home.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { loadServerSettings } from '../settings/server-settings.ts';
import { newToken } from './home-key.ts';
import { readTokens, writeTokens, type TokenEntry } from './tokens-file.ts';
import { readUses } from './token-uses.ts';

/** Adds, lists and revokes the names of the file of tokens. */
export function tokensPort(env: Environment): TokensPort {
  return {
    addToken: async ({ name, role, expires }) => {
      const token = newToken();
      const expiresAt = expires === undefined ? undefined : new Date(Date.now() + expires).toISOString();
      await change(env, (tokens) => {
        if (tokens.some((entry) => entry.name === name)) throw exists(name);
        const createdAt = new Date().toISOString();
        const until = expiresAt === undefined ? {} : { expiresAt };
        return [...tokens, { name, role, sha256: sha256(token), createdAt, ...until }];
      });
      return { name, role, token, expiresAt: expiresAt ?? null };
    },
    listTokens: async () => {
      const tokens = readTokens((await loadServerSettings(env)).tokensFile);
      const uses = readUses(apiFiles(heddleHome(env).run).used);
      return tokens.map(({ name, role, createdAt, expiresAt = null, sha256: hash }) => ({
        name,
        role,
        createdAt,
        expiresAt,
        lastUsedAt: uses[hash] ?? null,
      }));
    },
    revokeToken: (name) =>
      change(env, (tokens) => {
        if (!tokens.some((entry) => entry.name === name)) throw notFound(name, tokens);
        return tokens.filter((entry) => entry.name !== name);
      }),
  };
}

/** One process changes the file at a time. */
async function change(env: Environment, act: (tokens: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
  const { run } = heddleHome(env);
  const { tokensFile } = await loadServerSettings(env);
  makeFolder(run);
  makeFolder(dirname(tokensFile));
  const database = openDatabase(apiFiles(run).lock, { timeout: workerLimits.api.tokensLock });
  try {
    database.exec('BEGIN EXCLUSIVE');
    writeTokens(tokensFile, act(readTokens(tokensFile)));
  } catch (error) {
    if (isSystemError(error)) throw notWritable(tokensFile, error.message);
    throw error;
  } finally {
    database.close();
  }
}

const exists = (name: string): HeddleError =>
  new HeddleError({
    code: 'TOKEN_EXISTS',
    message: `${name} has a token already`,
    hint: `Choose another name, or revoke it first: \`heddle auth token revoke ${name}\`.`,
  });

const notFound = (name: string, tokens: readonly TokenEntry[]): HeddleError =>
  new HeddleError({
    code: 'TOKEN_NOT_FOUND',
    message: `No token has the name ${name}`,
    hint: tokens.length === 0 ? 'There are none yet.' : '`heddle auth token list` shows the names.',
  });
