import { randomBytes } from 'node:crypto';
import { sign } from './home-key.ts';
import { isSame } from './session-cookie.ts';

/** How long a code is good: a browser takes seconds to start, and all users see the arguments of processes. */
const goodFor = 60_000;
const purpose = 'code';

/** Makes a code that one server of this home takes once. `audience` names the server's process. */
export function makeCode(key: string, audience: string): string {
  const body = `${(Date.now() + goodFor).toString(36)}.${randomBytes(12).toString('base64url')}`;
  return `${body}.${sign(key, purpose, `${audience}\0${body}`)}`;
}

/** Takes each code once. */
export class CodeTaker {
  private readonly taken = new Map<string, number>();
  private readonly key: string;
  private readonly audience: string;

  constructor(key: string, audience: string) {
    this.key = key;
    this.audience = audience;
  }

  take(code: string): boolean {
    const [time = '', nonce = '', signature = '', ...rest] = code.split('.');
    const body = `${time}.${nonce}`;
    if (rest.length > 0 || !isSame(signature, sign(this.key, purpose, `${this.audience}\0${body}`))) return false;
    const expires = Number.parseInt(time, 36);
    const now = Date.now();
    for (const [old, until] of this.taken) if (until <= now) this.taken.delete(old);
    if (expires <= now || this.taken.has(nonce)) return false;
    this.taken.set(nonce, expires);
    return true;
  }
}
