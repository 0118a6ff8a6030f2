/** Whether `pattern` with its stars is `name`. */
export function matches(pattern: string, name: string): boolean {
  return pattern.includes("*") ? overlap(pattern, name) : pattern === name;
}

/** Whether some name fits both patterns. Only `*` is special. */
export function overlap(a: string, b: string): boolean {
  let positions = new Set([0]);
  const skipStars = (from: Iterable<number>) => {
    const all = new Set<number>();
    for (let at of from) {
      all.add(at);
      while (b[at] === "*") all.add(++at);
    }
    return all;
  };
  positions = skipStars(positions);
  for (const char of a) {
    const next = new Set<number>();
    for (const at of positions) {
      if (char === "*") { for (let i = at; i <= b.length; i++) next.add(i); }
      else if (b[at] === "*") next.add(at);
      else if (b[at] === char) next.add(at + 1);
    }
    positions = skipStars(next);
  }
  return positions.has(b.length);
}

/** Patterns by what stands before their first star: thousands are compared as quickly as ten. */
export class PatternIndex<T> {
  readonly #root: Branch<T> = { below: new Map(), entries: new Map() };

  add(pattern: string, owner: T): void {
    const { entries } = this.#branch(pattern)!;
    entries.set(pattern, (entries.get(pattern) ?? new Set()).add(owner));
  }

  delete(pattern: string, owner: T): void {
    this.#branch(pattern).entries.get(pattern)?.delete(owner);
  }

  /** Owners of a pattern that has a name in common with this one. */
  overlapping(pattern: string): Set<T> {
    const found = new Set<T>();
    const collect = ({ entries }: Branch<T>) => {
      for (const [other, owners] of entries) {
        if (!overlap(pattern, other)) continue;
        for (const owner of owners) found.add(owner);
      }
    };
    let branch: Branch<T> | undefined = this.#root;
    for (const char of beforeStar(pattern)) {
      collect(branch);
      branch = branch.below.get(char);
      if (!branch) return found;
    }
    // Below it only patterns that say more, which only a pattern with a star can have a name in common with.
    const rest = [branch];
    for (const next of rest) {
      collect(next);
      if (pattern.includes("*")) rest.push(...next.below.values());
    }
    return found;
  }

  #branch(pattern: string): Branch<T> {
    let branch = this.#root;
    for (const char of beforeStar(pattern)) {
      let below = branch.below.get(char);
      if (!below) branch.below.set(char, below = { below: new Map(), entries: new Map() });
      branch = below;
    }
    return branch;
  }
}

interface Branch<T> {
  readonly below: Map<string, Branch<T>>;
  readonly entries: Map<string, Set<T>>;
}

function beforeStar(pattern: string): string {
  return pattern.split("*", 1)[0]!;
}

/** Patterns of templates: those of one priority must not have a name in common. */
export class PatternsByPriority {
  readonly #indexes = new Map<number, PatternIndex<string>>();

  add(priority: number, patterns: readonly string[], owner: string): void {
    const index = this.#indexes.get(priority) ?? new PatternIndex<string>();
    this.#indexes.set(priority, index);
    for (const pattern of patterns) index.add(pattern, owner);
  }

  delete(priority: number, patterns: readonly string[], owner: string): void {
    for (const pattern of patterns) this.#indexes.get(priority)?.delete(pattern, owner);
  }

  overlapping(priority: number, patterns: readonly string[]): Set<string> {
    return new Set(
      patterns.flatMap((pattern) => [...this.#indexes.get(priority)?.overlapping(pattern) ?? []]),
    );
  }

  /** As {@linkcode overlapping} of every priority, the highest first. */
  overlappingAny(patterns: readonly string[]): string[] {
    const priorities = [...this.#indexes.keys()].sort((a, b) => b - a);
    return [...new Set(priorities.flatMap((one) => [...this.overlapping(one, patterns)]))];
  }

  /** Owners of the patterns that `name` fits, the highest priority first. */
  fitting(name: string): string[] {
    return this.overlappingAny([name]);
  }
}
