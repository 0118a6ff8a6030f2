import { choice, flag, text, time, type Values } from "./option.ts";

export const GLOBALS = {
  version: { ...flag("print the version"), short: "V" },
  config: { ...text("dir", "directory of the configuration"), short: "c", fallback: "config" },
  sqlPath: {
    ...text("dir", "folder with one subfolder of migrations per connection"),
    name: "sqlPath",
    aliases: ["sql-path"],
    fallback: "migrations",
  },
  type: { ...choice("type", ["sql", "search"], "kind of migrations"), short: "m", fallback: "sql" },
  connection: text("name", "only this connection"),
  verbose: { ...flag("also list ignored files and additions"), short: "v" },
  json: flag("print one JSON document on stdout"),
  lockTimeout: time("how long to wait for another run (60s)"),
  wait: time("how long to wait for a server to start, such as 60s"),
  help: { ...flag("print this help"), short: "h" },
};

export type GlobalOptions = Values<typeof GLOBALS>;
