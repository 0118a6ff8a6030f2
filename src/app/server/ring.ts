export class Link {
  #previous: Link = this;
  #next: Link = this;

  get next(): Link {
    return this.#next;
  }

  precede(link: Link): void {
    link.#previous = this.#previous;
    link.#next = this;
    this.#previous.#next = link;
    this.#previous = link;
  }

  unlink(): void {
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#previous = this.#next = this;
  }
}

/**
 * Objects in the order in which they were added, in a doubly linked list. A `Set` makes a hash for each of its members,
 * and a new table now and then: of what is in it for microseconds that costs more than all else that is done for it
 * (docs/adr/0161-nothing-to-wait-for.md).
 */
export class Ring<T extends Link> {
  readonly #ends = new Link();

  get isEmpty(): boolean {
    return this.#ends.next === this.#ends;
  }

  add(member: T): void {
    this.#ends.precede(member);
  }

  [Symbol.iterator](): ArrayIterator<T> {
    const members: T[] = [];
    for (let link = this.#ends.next; link !== this.#ends; link = link.next) members.push(link as T);
    return members.values();
  }
}
