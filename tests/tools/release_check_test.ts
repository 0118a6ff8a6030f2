import { assertEquals } from "@std/assert";
import { checkRelease } from "../../tools/release_check.ts";

const CHANGELOG = `# Changes

## [Unreleased]

### Added

- What is to come.

## [1.2.3-rc.1] - 2026-11-01

### Added

- A candidate.

## [1.2.3] - 2026-11-22

### Added

- A thing.

### Fixed

- Another.

## [1.2.0]

- No date.

## [1.1.0] - 2026-01-01

Nothing.
`;

Deno.test("checkRelease gives the section of the changelog as notes", () => {
  const versions = { "deno.json": "1.2.3", "jsr.json": "1.2.3" };
  assertEquals(checkRelease({ tag: "v1.2.3", versions, changelog: CHANGELOG }), {
    notes: "### Added\n\n- A thing.\n\n### Fixed\n\n- Another.",
  });
  assertEquals(
    checkRelease({
      tag: "v1.2.3-rc.1",
      versions: { "deno.json": "1.2.3-rc.1" },
      changelog: CHANGELOG,
    }),
    { notes: "### Added\n\n- A candidate." },
  );
});

Deno.test("checkRelease refuses tags, versions and changelogs that do not fit", () => {
  const table: [tag: string, versions: Record<string, string>, problems: string[]][] = [
    ["1.2.3", { "deno.json": "1.2.3" }, ["The tag '1.2.3' is no version such as 'v1.2.3'"]],
    ["v1.2", { "deno.json": "1.2" }, ["The tag 'v1.2' is no version such as 'v1.2.3'"]],
    ["v1.2.3", { "deno.json": "1.2.3", "jsr.json": "1.2.2", "src/cli/version.ts": "1.2.4" }, [
      "'jsr.json' has the version '1.2.2', the tag 'v1.2.3'",
      "'src/cli/version.ts' has the version '1.2.4', the tag 'v1.2.3'",
    ]],
    ["v1.2.4", { "deno.json": "1.2.4" }, [
      "'CHANGELOG.md' has no section '## [1.2.4] - 2026-11-22'",
    ]],
    ["v1.2.0", { "deno.json": "1.2.0" }, [
      "'CHANGELOG.md' has no section '## [1.2.0] - 2026-11-22'",
    ]],
    ["v1.1.0", { "deno.json": "1.1.0" }, ["The section of 1.1.0 in 'CHANGELOG.md' has no line"]],
  ];
  for (const [tag, versions, problems] of table) {
    assertEquals(checkRelease({ tag, versions, changelog: CHANGELOG }), { problems }, tag);
  }
});
