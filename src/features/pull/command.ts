import { command, EXIT, flag, refuseFiles, type Screen, tell, tellProblem } from "../../cli/mod.ts";
import { text, UsageError } from "../../cli/mod.ts";
import type { PullReport, PullResult } from "./pull_files.ts";
import { printable, quoted } from "../../text/mod.ts";

export const declared = command({
  name: "pull",
  description: "write files for the live resources of a cluster (search)",
  options: {
    kinds: text("names", "only these kinds, separated by commas"),
    match: text("glob", "only matching names: '*' is any text, '?' one character"),
    baseline: flag("also record the files as applied"),
    dryRun: flag("only print what would be written"),
    yes: flag("replace files that have other content"),
  },
  examples: [
    ["pull -m search --connection logs --dry-run", "show which files would be written"],
    ["pull -m search --connection logs --baseline", "write the files and record them"],
    ["pull -m search --kinds roles,role-mappings --match 'app-*'", "only some resources"],
  ],
  epilogue: `
Kinds: repositories, cluster-settings, scripts, pipelines, search-pipelines, components, templates, policies, snapshots,
data-streams, action-groups, tenants, roles, users, role-mappings. Leaves out resources that the cluster or a plugin
created, and indices, because they are data. A user's password cannot be read: its file contains a placeholder.
`,
  worked: `
$ irori pull -m search --connection logs --kinds roles --dry-run
logs: 1 new
  new        84-roles/reader-role.json  (role reader)
`,
  async run(context, { kinds, match, baseline = false, dryRun = false, yes = false }) {
    const { type } = context.globals;
    if (type !== "search") {
      throw new UsageError("Cannot pull from SQL databases: expected '-m search'");
    }
    if (baseline && dryRun) throw new UsageError("Expected --baseline or --dry-run, found both");
    using work = await context.migrations();
    const { pull } = await import("./pull_files.ts");
    const report = await pull(await work.onlyTarget(), {
      baseline,
      dryRun,
      replace: yes,
      kinds: kinds?.split(",").map((kind) => kind.trim()),
      match,
    }, work.options);
    show(context.screen, report);
    const { connection, files, leftOut, placeholders, recorded, left, refused } = report;
    context.printJson({
      connection,
      files: files.map(({ path, resource, state, madeBy }) => ({
        file: path,
        resource,
        state,
        madeBy,
      })),
      leftOut,
      placeholders,
      recorded,
      left,
      error: refused && `Nothing was written: ${refused}`,
    });
    if (refused) return EXIT.usage;
  },
});

const COLORS = {
  written: "green",
  new: "green",
  unchanged: "dim",
  differs: "yellow",
  elsewhere: "dim",
} as const;

function show(screen: Screen, report: PullReport): void {
  const { connection, files, leftOut, problems, recorded, left, refused } = report;
  for (const problem of problems) {
    tellProblem(screen, { ...problem, severity: "warning" }, connection);
  }
  for (const { kinds, reason } of leftOut) {
    tell(screen, "notice", `${connection}: left out ${kinds.join(", ")}: ${printable(reason)}`);
  }
  const of = (wanted: PullResult["state"]) => files.filter(({ state }) => state === wanted).length;
  const facts = (["written", "new", "unchanged", "differs", "elsewhere"] as const)
    .flatMap((state) => of(state) > 0 ? [`${of(state)} ${state}`] : []);
  screen.write(`${connection}: ${facts.join(", ") || "nothing to pull"}\n`);
  for (const file of files) screen.write(`  ${pullLine(file, screen)}\n`);
  if (refused === "differing files") refuseFiles(screen, of("differs"));
  showPlaceholders(screen, report);
  if (recorded.length > 0) {
    screen.write(`${connection}: ${recorded.length} recorded without applying\n`);
  }
  for (const path of left) {
    const reason = "its secret was changed, or may have been, since it was applied: 'migrate' " +
      "sends an edited file, and after 'resolve <file> --retry' another value";
    tell(screen, "notice", `${connection}: ${printable(path)} is not recorded: ${reason}`);
  }
}

function pullLine({ path, resource, state, madeBy }: PullResult, { colors }: Screen): string {
  const beside = madeBy === undefined
    ? resource
    : `${resource} is in ${madeBy.path}${madeBy.isSame ? "" : ", which has other content"}`;
  const name = madeBy === undefined ? `${printable(path)}  ` : "";
  return `${colors[COLORS[state]](state.padEnd(9))}  ${name}${
    colors.dim(`(${printable(beside)})`)
  }`;
}

function showPlaceholders(screen: Screen, { connection, placeholders, refused }: PullReport): void {
  const missing = placeholders.filter(({ isDeclared }) => !isDeclared);
  if (missing.length === 0) return;
  const lines = missing.map(({ name, of }) => `    ${name}: "\${${name}}"  # ${printable(of)}`);
  const text = `of the connection ${quoted([connection])}, before anything is applied:\n\n` +
    `migrations:\n  placeholders:\n${lines.join("\n")}`;
  if (refused === "undeclared placeholders") {
    tell(screen, "error", `Nothing was written or recorded: declare the secrets ${text}`);
  } else screen.write(`\n${screen.colors.bold("Declare the secrets")} ${text}\n`);
}
