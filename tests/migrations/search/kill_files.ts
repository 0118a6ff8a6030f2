import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { declared } from "./placeholder_values.ts";
import { connectionTo } from "./runner.ts";

/** The connection of the files, with their placeholders. */
export function connectionOf(url: string): SearchConnection {
  return { ...connectionTo(url), placeholders: declared({ env: "logs", records: "records" }) };
}

/** One file of each kind, in order. */
export const FILES: Readonly<Record<string, string>> = {
  "1-logs-template.json": '{"index_patterns":["${env}-*"],"template":{}}',
  "2-post.json":
    '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"${records}"}}]}}',
  "3-old-policy.json":
    '{"policy":{"description":"d","default_state":"a","states":[{"name":"a","actions":[],"transitions":[]}]}}',
  "4-users-index.json": '{"settings":{}}',
  "5-delete.json": '{"method":"DELETE","path":"/obsolete"}',
};
