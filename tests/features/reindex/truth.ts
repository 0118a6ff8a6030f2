/** The identity of a document: one `_id` may exist under two routings, on two shards. */
export interface Key {
  readonly id: string;
  readonly routing?: string;
}

/** A document as the cluster has it. */
export interface Found extends Key {
  readonly text: string;
  readonly version: number;
}

/** The differences between the cluster and the answers to writers; each is a sentence about one document. */
export interface Findings {
  readonly lost: string[];
  readonly wrong: string[];
  readonly extra: string[];
}

/** Absent, as a content. */
export const GONE: unique symbol = Symbol("gone");

/** The text of a document, or that it does not exist. */
export type Content = string | typeof GONE;

/**
 * The documents as the writers know them: the content of the last confirmed write, or both contents where no answer
 * came.
 */
export class Truth {
  readonly #possible = new Map<string, { contents: Set<Content>; version?: number }>();

  /** The cluster has confirmed it, and given it this version. */
  confirm(key: Key, content: Content, version: number): void {
    this.#possible.set(identify(key), { contents: new Set([content]), version });
  }

  /** It was sent, and no answer came. */
  doubt(key: Key, content: Content): void {
    const known = this.#possible.get(identify(key));
    const contents = new Set<Content>([...known?.contents ?? [GONE], content]);
    this.#possible.set(identify(key), { contents });
  }

  /** The content, `undefined` where it is not certain. */
  of(key: Key): Content | undefined {
    const [first, ...others] = this.#possible.get(identify(key))?.contents ?? [GONE];
    return others.length === 0 ? first : undefined;
  }

  /** How many documents were ever written. */
  get size(): number {
    return this.#possible.size;
  }

  /** @param normalise makes contents comparable where the cluster may format them again */
  compare(found: readonly Found[], normalise: (text: string) => string): Findings {
    const findings: Findings = { lost: [], wrong: [], extra: [] };
    const seen = new Set<string>();
    for (const document of found) {
      const name = identify(document);
      const known = this.#possible.get(name);
      if (seen.has(name)) findings.extra.push(`${name} is there twice`);
      else if (!known) findings.extra.push(`${name} was never written: ${document.text}`);
      else {
        const texts = [...known.contents].filter((content) => content !== GONE);
        const isAsWritten = texts.some((text) => normalise(text) === normalise(document.text));
        if (texts.length === 0) findings.extra.push(`${name} was deleted: ${document.text}`);
        else if (!isAsWritten) {
          findings.wrong.push(`${name} is ${document.text}, not ${texts.join(" or ")}`);
        } else if (known.version !== undefined && known.version !== document.version) {
          findings.wrong.push(`${name} has version ${document.version}, not ${known.version}`);
        }
      }
      seen.add(name);
    }
    for (const [name, { contents }] of this.#possible) {
      if (!contents.has(GONE) && !seen.has(name)) {
        findings.lost.push(`${name}: ${[...contents].map(String).join(" or ")}`);
      }
    }
    return findings;
  }
}

/** The key as a text. */
export function identify({ id, routing }: Key): string {
  return routing === undefined ? id : `${id} (routing ${routing})`;
}
