/** How long something took, over the last minutes of this process. */
export class Meter {
  readonly #taken: { at: number; ms: number }[] = [];

  record(ms: number): void {
    this.#taken.push({ at: Date.now(), ms });
    if (this.#taken.length > most) this.#taken.splice(0, this.#taken.length - most / 2);
  }

  /** The time that 95 of 100 stayed below; null where nothing happened. */
  p95(): number | null {
    const since = Date.now() - windowMs;
    const recent = this.#taken.filter(({ at }) => at >= since).map(({ ms }) => ms);
    recent.sort((a, b) => a - b);
    const value = recent[Math.min(recent.length - 1, Math.floor(recent.length * 0.95))];
    return value === undefined ? null : Math.round(value * 10) / 10;
  }
}

const windowMs = 5 * 60_000;
const most = 10_000;
