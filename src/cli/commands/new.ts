import { join, resolve } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { printJson } from "./_context.ts";
import { onlyConnection } from "./_only_connection.ts";
import { ownSchema } from "./_own_schemas.ts";

export interface NewOptions extends GlobalOptions {
  readonly rollover?: boolean;
}

export async function create(
  runtime: Runtime,
  options: NewOptions,
  [name = ""]: readonly string[],
): Promise<number> {
  const { rollover = false } = options;
  if (rollover && options.type !== "search") {
    throw new UsageError("Cannot roll over SQL databases: expected '-m search' with '--rollover'");
  }
  if (!/^[\w][\w.-]*$/.test(name)) {
    throw new UsageError(`Expected a name of letters, digits, '_', '-' and '.', found '${name}'`);
  }
  const connection = await onlyConnection(runtime, options.type, options);
  const path = pathOf(options.type, name, new Date());
  const location = join(resolve(runtime.cwd(), options.sqlPath), connection, path);
  const own = await ownSchema(runtime, { ...options, connection }, name);
  const content = own ?? (rollover ? rolloverOf(name) : contentOf(options.type, name));
  await runtime.files.writeTextFile(location, content);
  createScreen(runtime, options).write(`${location}\n`);
  printJson(runtime, options, { file: location });
  return 0;
}

/** On clusters the file name names the resource, so the date is a folder. */
function pathOf(type: GlobalOptions["type"], name: string, now: Date): string {
  const stamp = now.toISOString().replace(/\..*/, "").replace(/[-:]/g, "").replace("T", "-");
  const bare = bareName(name);
  return type === "sql" ? `${stamp}_${bare}.sql` : `${stamp}/${bare}.json`;
}

function bareName(name: string): string {
  return name.replace(/\.(?:sql|json)$/, "");
}

function rolloverOf(name: string): string {
  return textOf({ method: "POST", path: `/${bareName(name)}/_rollover`, body: {} });
}

function contentOf(type: GlobalOptions["type"], name: string): string {
  if (type === "sql") return `-- ${name}\n`;
  const content = name.endsWith("-template")
    ? {
      index_patterns: [`${name.replace(/-template$/, "")}-*`],
      template: { settings: {}, mappings: {} },
    }
    : name.endsWith("-policy")
    ? {
      policy: {
        description: name,
        default_state: "hot",
        states: [{ name: "hot", actions: [], transitions: [] }],
      },
    }
    : { method: "PUT", path: "/index/_mapping", body: { properties: {} } };
  return textOf(content);
}

function textOf(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
