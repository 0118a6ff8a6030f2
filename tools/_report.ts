import { stripVTControlCharacters } from "node:util";

/** A test in a report of `deno test --junit-path`. */
export interface TestCase {
  /** From the root, such as `tests/web/body_test.ts`. */
  readonly path: string;
  readonly title: string;
  readonly seconds: number;
  readonly isSkipped: boolean;
  readonly isFailed: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/** The tests of a report, without their steps, which it has beside them as `test > step`. */
export function casesOf(report: string): readonly TestCase[] {
  const elements = report.matchAll(/<testcase ([^>]*?)(?:\/>|>\s*(<skipped|<failure|<error)?)/g);
  const all = Array.from(elements, ([, attributes = "", outcome]): TestCase => {
    const attribute = (name: string) =>
      text(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    return {
      path: attribute("classname").replace(/^\.\//, ""),
      title: attribute("name"),
      seconds: Number(attribute("time")),
      isSkipped: outcome === "<skipped",
      isFailed: outcome === "<failure" || outcome === "<error",
    };
  });
  const names = new Set(all.map(({ path, title }) => `${path}\n${title}`));
  return all.filter(({ path, title }) => !isStep(path, title, names));
}

function isStep(path: string, title: string, names: ReadonlySet<string>): boolean {
  for (let at = title.indexOf(" > "); at >= 0; at = title.indexOf(" > ", at + 1)) {
    if (names.has(`${path}\n${title.slice(0, at)}`)) return true;
  }
  return false;
}

function text(xml: string): string {
  return xml.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal || hex) return String.fromCodePoint(parseInt(decimal ?? hex, hex ? 16 : 10));
    return ENTITIES[name] ?? whole;
  });
}

/**
 * A report that names the file of each test. In that of `deno test` it is the file that calls `Deno.test`, which may be a
 * helper of many; what `deno test --parallel` prints has the other.
 */
export function withFiles(report: string, output: string): string {
  const files = new Map<string, string[]>();
  const lines = stripVTControlCharacters(output)
    .matchAll(/^(?:\.\/)?(\S+\.ts) => (.+) \.\.\. (?:ok|FAILED|ignored)\b/gm);
  for (const [, path = "", title = ""] of lines) {
    files.set(title, [...files.get(title) ?? [], path]);
  }
  const named = /<testcase name="([^"]*)" classname="(?:\.\/)?([^"]*)"/g;
  // Another file may have a test of the same title, by a helper.
  const own = new Set<number>();
  for (const { 1: title = "", 2: path = "", index } of report.matchAll(named)) {
    const paths = files.get(text(title)) ?? [];
    if (!paths.includes(path)) continue;
    paths.splice(paths.indexOf(path), 1);
    own.add(index);
  }
  return report.replace(named, (whole, title: string, _, index: number) => {
    const path = own.has(index) ? undefined : files.get(text(title))?.shift();
    return path === undefined ? whole : `<testcase name="${title}" classname="${path}"`;
  });
}

/** One report of several. */
export function merged(reports: readonly string[]): string {
  const suites = reports.map((report) =>
    /<testsuites[^>]*>([^]*)<\/testsuites>/.exec(report)?.[1] ?? ""
  );
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="deno test">';
  return `${head}${suites.join("")}</testsuites>\n`;
}
