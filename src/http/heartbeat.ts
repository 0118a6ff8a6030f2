export class Heartbeat {
  #timer?: ReturnType<typeof setTimeout>;
  #last = 0;

  constructor(readonly milliseconds: number, readonly beat: () => void) {}

  /** Restarts the interval. Setting a timer each time would cost more than sending most events. */
  sent(): void {
    if (this.milliseconds === 0) return;
    this.#last = performance.now();
    if (this.#timer === undefined) this.#wait(this.milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#last + this.milliseconds - performance.now();
      if (left > 1) return this.#wait(left);
      this.#last = performance.now();
      this.#wait(this.milliseconds);
      this.beat();
    }, milliseconds);
  }
}
