/** A version, as tags and headings of the changelog have it: `1.2.3`, `1.2.3-rc.1`. */
const VERSION = /\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?/;
const TAG = new RegExp(`^v(${VERSION.source})$`);
/** The text behind `## ` in `CHANGELOG.md`: a version and its date. */
export const RELEASE_HEADING: RegExp = new RegExp(
  `^\\[(${VERSION.source})\\] - \\d{4}-\\d\\d-\\d\\d$`,
);

/** The facts that a release is checked by. */
export interface ReleaseFacts {
  /** Such as `v1.2.3`. */
  readonly tag: string;
  /** Versions by where they are said. */
  readonly versions: Readonly<Record<string, string>>;
  /** The text of `CHANGELOG.md`. */
  readonly changelog: string;
}

/**
 * Whether a tag may be released: all manifests have its version, and the changelog has a section of it with a date.
 *
 * @returns the text of the section, which are the notes of the release, or what is wrong
 */
export function checkRelease(
  { tag, versions, changelog }: ReleaseFacts,
): { readonly notes: string } | { readonly problems: readonly string[] } {
  const [, version] = TAG.exec(tag) ?? [];
  if (version === undefined) {
    return { problems: [`The tag '${tag}' is no version such as 'v1.2.3'`] };
  }
  const problems = Object.entries(versions)
    .filter(([, other]) => other !== version)
    .map(([where, other]) => `'${where}' has the version '${other}', the tag '${tag}'`);
  const section = sectionOf(changelog, version);
  if (section === undefined) {
    problems.push(`'CHANGELOG.md' has no section '## [${version}] - 2026-11-22'`);
  } else if (!/^- /m.test(section)) {
    problems.push(`The section of ${version} in 'CHANGELOG.md' has no line`);
  }
  return problems.length > 0 || section === undefined ? { problems } : { notes: section };
}

/** The text below the heading of a version, which has a date. */
function sectionOf(changelog: string, version: string): string | undefined {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = section.split("\n");
    if (RELEASE_HEADING.exec(heading)?.[1] === version) return lines.join("\n").trim();
  }
}

if (import.meta.main) {
  const versionIn = async (file: string) => JSON.parse(await Deno.readTextFile(file)).version;
  const [, version = "none"] =
    /VERSION = "(.*)"/.exec(await Deno.readTextFile("src/cli/version.ts")) ?? [];
  const result = checkRelease({
    tag: Deno.args[0] ?? "",
    versions: {
      "deno.json": await versionIn("deno.json"),
      // The npm package has it from there.
      "jsr.json": await versionIn("jsr.json"),
      "src/cli/version.ts": version,
    },
    changelog: await Deno.readTextFile("CHANGELOG.md"),
  });
  if ("problems" in result) {
    console.error(result.problems.join("\n"));
    Deno.exit(1);
  }
  console.log(result.notes);
}
