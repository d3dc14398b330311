import { HeddleError } from '../../domain/errors/heddle-error.ts';

interface Bucket {
  left: number;
  at: number;
}

/** Lets each key do so much in so many milliseconds, evenly or at once, and refuses what is more. */
export class RateLimit {
  readonly #most: number;
  readonly #window: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#window = windowMs;
  }

  /** Takes one, or throws `RATE_LIMITED`. */
  take(key: string, what: string): void {
    this.check(key, what);
    const bucket = this.#refilled(key);
    bucket.left -= 1;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > 1_000) this.#forget();
  }

  /** Throws `RATE_LIMITED` where nothing is left. */
  check(key: string, what: string): void {
    const { left } = this.#refilled(key);
    if (left >= 1) return;
    const seconds = Math.ceil(((1 - left) * this.#window) / this.#most / 1_000);
    throw new RateLimited(what, seconds);
  }

  #refilled(key: string): Bucket {
    const now = Date.now();
    const { left, at } = this.#buckets.get(key) ?? { left: this.#most, at: now };
    return { left: Math.min(this.#most, left + ((now - at) * this.#most) / this.#window), at: now };
  }

  /** A key that has all of it again is as one that never came. */
  #forget(): void {
    for (const key of this.#buckets.keys()) if (this.#refilled(key).left >= this.#most) this.#buckets.delete(key);
  }
}

/** `RATE_LIMITED`, with the time after which it is worth to try again. */
export class RateLimited extends HeddleError {
  readonly retryAfterS: number;

  constructor(what: string, retryAfterS: number) {
    super({ code: 'RATE_LIMITED', message: `Too many ${what}`, hint: `Try again in ${retryAfterS} s.` });
    this.retryAfterS = retryAfterS;
  }
}
