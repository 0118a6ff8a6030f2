import type { Runtime } from "../../runtime/mod.ts";
import { command, type MigrationWork } from "../command.ts";
import { UsageError } from "../errors.ts";
import type { GlobalOptions } from "../globals.ts";
import { flag } from "../option.ts";
import { tell } from "../screen.ts";

export const declared = command({
  name: "new",
  operands: ["<name>"],
  description: "create a migration file with a date in its name",
  options: { rollover: flag("create a request that rolls over to the next index (search)") },
  examples: [
    ["new add-users", "migrations/<connection>/<date>_add-users.sql"],
    ["new logs --rollover -m search", "POST /logs/_rollover for an alias or a data stream"],
  ],
  worked: `
$ irori new add-users
migrations/main/20261123-103056_add-users.sql
`,
  async run(context, { rollover = false }) {
    const { globals: { type, sqlPath }, operands: [name = ""], runtime } = context;
    if (rollover && type !== "search") {
      throw new UsageError(
        "Cannot roll over SQL databases: expected '-m search' with '--rollover'",
      );
    }
    if (!/^[\w][\w.-]*$/.test(name)) {
      throw new UsageError(`Expected a name of letters, digits, '_', '-' and '.', found '${name}'`);
    }
    const { join } = await import("../../runtime/path.ts");
    using work = await context.migrations();
    const target = await work.onlyTarget();
    const { folderOf } = await import("../../migrations/commands.ts");
    const folder = await folderOf(target, { runtime, sqlPath });
    const location = join(folder, pathOf(type, name, await nextStamp(runtime, folder)));
    await runtime.files.writeTextFile(
      location,
      await ownSchema(work, name, target.connection, folder) ?? initialText(type, name, rollover),
    );
    context.screen.write(`${location}\n`);
    if (await runtime.files.stat(join(folder, "meta/_journal.json"))) {
      const how = `'drizzle-kit generate --custom --name ${
        bareName(name)
      }' makes one that is listed`;
      tell(context.screen, "notice", `No run applies it, as 'meta/_journal.json' omits it: ${how}`);
    }
    context.printJson({ file: location });
  },
});

async function ownSchema(
  { context, options }: MigrationWork,
  name: string,
  connection: string,
  folder: string,
): Promise<string | undefined> {
  const { globals: { type }, program: { features }, runtime: { files } } = context;
  const schemaOf = features.flatMap(({ schemas = {} }) => Object.entries(schemas))
    .find(([own]) => own === name)?.[1];
  if (type !== "sql" || !schemaOf) return undefined;
  const { sqlConnections } = await import("../../migrations/commands.ts");
  const [found] = await sqlConnections(options);
  const written = async function* () {
    for await (const { path, relative } of filesIn(files, folder)) {
      if (relative.endsWith(".sql")) yield await files.readTextFile(path);
    }
  };
  const sql = await schemaOf({ kind: found!.datasource.kind, connection, written });
  if (sql === undefined) {
    throw new UsageError(
      `Cannot write '${name}' for '${connection}': it supports no such database`,
    );
  }
  for await (const text of written()) {
    if (text.includes(sql)) {
      throw new UsageError(`Nothing to write: a migration of '${connection}' has it already`);
    }
  }
  return sql;
}

async function* filesIn(files: Runtime["files"], folder: string) {
  if ((await files.stat(folder))?.isDirectory) yield* files.walk(folder);
}

/** The time in UTC, or the next second that no file has: files of one second would run in the order of their names. */
async function nextStamp({ files }: Runtime, folder: string): Promise<string> {
  const names = await Array.fromAsync(filesIn(files, folder), ({ relative }) => relative);
  let now = Date.now();
  while (names.some((name) => name.startsWith(stampOf(now)))) now += 1000;
  return stampOf(now);
}

function stampOf(time: number): string {
  return new Date(time).toISOString().replace(/\..*|[-:]/g, "").replace("T", "-");
}

/** On clusters the file name names the resource, so the date is a folder. */
function pathOf(type: GlobalOptions["type"], name: string, stamp: string): string {
  return type === "sql" ? `${stamp}_${bareName(name)}.sql` : `${stamp}/${bareName(name)}.json`;
}

function bareName(name: string): string {
  return name.replace(/\.(?:sql|json)$/, "");
}

const HOT = { name: "hot", actions: [], transitions: [] };

function initialText(type: GlobalOptions["type"], name: string, rollover: boolean): string {
  if (type === "sql") return `-- ${name}\n`;
  const content = rollover
    ? { method: "POST", path: `/${bareName(name)}/_rollover`, body: {} }
    : name.endsWith("-template")
    ? {
      index_patterns: [`${name.replace(/-template$/, "")}-*`],
      template: { settings: {}, mappings: {} },
    }
    : name.endsWith("-policy")
    ? { policy: { description: name, default_state: "hot", states: [HOT] } }
    : { method: "PUT", path: "/index/_mapping", body: { properties: {} } };
  return `${JSON.stringify(content, null, 2)}\n`;
}
