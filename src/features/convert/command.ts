import { command, type Context, EXIT, flag, refuseFiles, type Screen } from "../../cli/mod.ts";
import { tell, tellProblem, text, UsageError } from "../../cli/mod.ts";
import { printable, quoted } from "../../text/mod.ts";
import type { PreparedConversion } from "./convert_files.ts";

export const declared = command({
  name: "convert",
  operands: ["<file...>"],
  description:
    "write files for resources of the OpenSearch Kubernetes operator (search); '-' reads stdin",
  options: {
    out: text("path", "write to this folder instead of a connection's"),
    cluster: text(
      "name",
      "only resources of this 'opensearchCluster', or of <namespace>/<name>",
    ),
    dryRun: flag("print the files without writing them"),
    yes: flag("replace existing files with other content"),
  },
  examples: [
    ["convert k8s/*.yaml --connection logs", "migrations/logs/84-roles/reader-role.json, …"],
    ["convert users.yaml --connection logs --dry-run", "show what would be written"],
  ],
  epilogue: `
Reads OpenSearchISMPolicy, OpensearchIndexTemplate, OpensearchComponentTemplate, OpensearchSnapshotPolicy, OpensearchRole,
OpensearchUser, OpensearchUserRoleBinding, OpensearchActionGroup and OpensearchTenant of 'opensearch.org/v1' and
'opensearch.opster.io/v1'. Connects to no cluster, and reads no configuration when --connection or --out names the
target. Writes all files, or none if anything cannot be converted.
`,
  worked: `
$ irori convert reader.yaml --connection logs
written    migrations/logs/84-roles/reader-role.json
`,
  async run(context, { out, cluster, dryRun = false, yes = false }) {
    const { operands, runtime, screen } = context;
    const folder = await folderOf(context, out);
    const { prepareConversion } = await import("./convert_files.ts");
    const conversion = await prepareConversion(operands, folder, cluster, runtime);
    const { files: found, passwords, skipped, warnings } = conversion;
    const differing = found.filter(({ state }) => state === "differs");
    const isRefused = differing.length > 0 && !yes && !dryRun;
    const files = isRefused || dryRun ? found : await conversion.write();
    showNotices(screen, conversion);
    for (const { location, text, state } of isRefused ? differing : files) {
      screen.write(`${screen.colors[COLORS[state]](state.padEnd(9))}  ${printable(location)}\n`);
      if (dryRun && state !== "unchanged") screen.write(text);
    }
    if (isRefused) refuseFiles(screen, differing.length);
    else if (files.length === 0) {
      screen.write("Nothing to write: no resource configures a cluster\n");
    } else showPasswords(screen, conversion);
    context.printJson({
      files: files.map(({ location, text, state }) => {
        return { file: location, state, content: dryRun ? JSON.parse(text) : undefined };
      }),
      passwords,
      skipped,
      error: isRefused ? "Nothing was written: differing files" : undefined,
      warnings: warnings.map(({ path, line, column, message }) => ({
        path,
        line,
        column,
        message,
      })),
    });
    if (isRefused) return EXIT.usage;
  },
});

/** Reads the configuration only if neither the folder nor the connection is named. */
async function folderOf(context: Context, out: string | undefined): Promise<string> {
  const { connection, sqlPath } = context.globals;
  if (out !== undefined) {
    if (connection === undefined) return out;
    throw new UsageError("Expected one of '--out' and '--connection', found both");
  }
  if (connection !== undefined && /[\\/]|^\.*$/.test(connection)) {
    throw new UsageError(`Expected the name of a connection, found '${connection}'`);
  }
  const { join } = await import("../../runtime/path.ts");
  if (connection !== undefined) return join(sqlPath, connection);
  using work = await context.migrations({}, "search");
  return join(sqlPath, (await work.onlyTarget()).connection);
}

const COLORS = { written: "green", new: "green", unchanged: "dim", differs: "yellow" } as const;

function showNotices(
  screen: Screen,
  { warnings, skipped, mappedRoles }: PreparedConversion,
): void {
  for (const problem of warnings) tellProblem(screen, problem);
  for (const title of skipped) {
    tell(screen, "notice", `${printable(title)}: skipped, it makes no file`);
  }
  if (mappedRoles.length === 0) return;
  const replaced =
    "A file replaces the whole mapping of a role, while the operator only added to it";
  tell(screen, "notice", `${replaced}: see 'plan -m search' for what the cluster has besides`);
  if (!mappedRoles.includes("all_access")) return;
  const removed = "The mapping of 'all_access' removes the administrators that it does not name";
  tell(screen, "warning", `${removed}; only an admin certificate can restore them`);
}

function showPasswords(screen: Screen, { passwords }: PreparedConversion): void {
  if (passwords.length === 0) return;
  const { bold, dim } = screen.colors;
  screen.write(
    `\n${bold("Declare the passwords on the connection, before anything is applied:")}\n\n` +
      "migrations:\n  placeholders:\n",
  );
  for (const { placeholder, secret, key, namespace } of passwords) {
    const place = namespace === undefined ? "" : ` in namespace ${quoted([namespace])}`;
    const from = dim(printable(`# key ${quoted([key])} of the Secret ${quoted([secret])}${place}`));
    screen.write(`    ${placeholder}: "\${${placeholder}}"  ${from}\n`);
  }
}
