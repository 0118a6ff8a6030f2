import { recorded } from "./recorded.ts";

const HEAD = /^=== (.*)\n/m;

/** Texts by name, which a file of this folder keeps one after another. A line `@7` stands for the text of that name. */
export class Outcomes {
  private constructor(private readonly texts: ReadonlyMap<string, string>) {}

  static async read(name: string): Promise<Outcomes> {
    const [, ...parts] = (await recorded(name)).split(HEAD);
    const texts = new Map<string, string>();
    for (let at = 0; at < parts.length; at += 2) {
      for (const one of parts[at]!.split("; ")) texts.set(one, parts[at + 1]!);
    }
    return new Outcomes(texts);
  }

  of(name: string): string {
    const text = this.texts.get(name) ?? `nothing is recorded of ${name}\n`;
    return text.replace(/^(@\d+)\n/gm, (_, other) => this.of(other));
  }
}
