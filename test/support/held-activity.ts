/** An activity that stops before its work until it is let go: for what is over in an instant, too short to meet. */
export class Held {
  readonly entered: Promise<void>;
  #isEntered: () => void = () => undefined;
  #go: () => void = () => undefined;
  readonly #gone: Promise<void>;

  constructor() {
    this.entered = new Promise((resolve) => (this.#isEntered = resolve));
    this.#gone = new Promise((resolve) => (this.#go = resolve));
  }

  around<Input, Result>(work: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
    return async (input) => {
      this.#isEntered();
      await this.#gone;
      return work(input);
    };
  }

  release(): void {
    this.#go();
  }
}
