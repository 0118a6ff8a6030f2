/** A text that does not appear by itself: not in messages, not in JSON, not when an object is printed. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text, for the driver alone. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "***";
  }

  toJSON(): string {
    return "***";
  }
}
