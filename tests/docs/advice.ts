/** How a test gets into a situation, reads the advice that is given for it, and takes the advice. */
import { assertEquals, assertMatch } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { main } from "../../src/cli/mod.ts";
import { ALL_FEATURES } from "../cli/program.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";
import { type Outcome, started, type Workspace, workspace } from "../e2e/command_line.ts";
import {
  type ClusterDouble,
  type DoubleOptions,
  startClusterDouble,
} from "../servers/cluster_double.ts";

/** `ROOT` stands for the folder. */
export const CONFIG = `datasource:
  - { name: main, url: "sqlite:ROOT/app.db", migrations: { enabled: true } }
`;
/** `CLUSTER` stands for the address of the double. */
export const SEARCH = `search:
  - { name: live, hosts: ["CLUSTER"], migrations: { enabled: true } }
`;
export const TABLE = "CREATE TABLE a (b TEXT);\n";

export interface AdviceWorkspace extends Workspace {
  readonly cluster: ClusterDouble;
}

export interface Advised {
  readonly title: string;
  /** By their names below the migrations of `main`, or with `/` in front below the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: string;
  /** Options of the cluster, which is started only if the configuration names it. */
  readonly double?: DoubleOptions;
  /** Leads into the situation. */
  readonly before?: (place: AdviceWorkspace) => Promise<unknown>;
  /** The command that prints the advice. @default migrate */
  readonly command?: string;
  /** How that ends. */
  readonly code?: number;
  /** The guide that gives the advice, in place of the command. */
  readonly guide?: string;
  /** Its group is the command, or the options to add to the command. */
  readonly advice: RegExp;
  /** The text for the placeholder in the advice, or for the text behind it, which the reader chooses. */
  readonly value?: string;
  /** The command that takes the option, if it is not the one that printed the advice. */
  readonly to?: string;
  /** Whether the command of the advice gets a process of its own. */
  readonly alone?: true;
  /** A change that a reader makes by hand first. */
  readonly byHand?: (place: AdviceWorkspace) => Promise<unknown>;
  /** How the command of the advice ends. @default 0 */
  readonly ends?: number;
  /** Its output must match it. */
  readonly says?: RegExp;
  /** A command that failed before and must now end with 0; `""` for none. @default migrate */
  readonly after?: string;
  readonly holds?: (place: AdviceWorkspace, taken: Outcome) => unknown;
}

export async function follow(advised: Advised): Promise<void> {
  const { files = {}, config = CONFIG, command = "migrate", code = 0, after = "migrate" } = advised;
  await using cluster = startClusterDouble(advised.double);
  await using space = await workspace({});
  const place: AdviceWorkspace = { ...space, cluster };
  const written = (text: string) =>
    text.replaceAll("ROOT", space.path).replaceAll("CLUSTER", cluster.url);
  await space.write("config/application.yml", written(config));
  for (const [name, text] of Object.entries(files)) {
    await space.write(name.startsWith("/") ? name.slice(1) : `migrations/main/${name}`, text);
  }
  await advised.before?.(place);
  const text = advised.guide === undefined
    ? await printed(place, command, code)
    : (await Deno.readTextFile(`docs/guide/${advised.guide}`)).replace(/\s*\n\s*/g, "\n");
  const found = advised.advice.exec(text)?.slice(1).find((part) => part);
  if (found === undefined) throw new Error(`No advice ${advised.advice} in:\n${text}`);
  await advised.byHand?.(place);
  const line = commandOf(found, advised.to ?? command, advised.value);
  const taken = await (advised.alone ? started(line.split(" "), space.path) : start(place, line));
  const all = taken.stdout + taken.stderr;
  assertEquals(taken.code, advised.ends ?? 0, `${found}: ${all}`);
  if (advised.says) assertMatch(all, advised.says);
  if (after !== "") await printed(place, after, 0);
  await advised.holds?.(place, taken);
}

function commandOf(advice: string, command: string, value: string | undefined): string {
  const bare = advice.replace(/^(?:npx )?irori /, "").replace(/\s+/g, " ");
  const [filled, rest] = /<[^>]*>/.test(bare)
    ? [bare.replace(/<[^>]*>/, value ?? "1.sql"), undefined]
    : [bare, value];
  const line = [filled, ...rest === undefined ? [] : [rest]].join(" ");
  // An option is for the command that was given.
  return line.startsWith("-") ? `${command.replace(/ -m \w+/, "")} ${line}` : line;
}

async function printed(place: Workspace, line: string, code: number): Promise<string> {
  const { stdout, stderr, ...ended } = await start(place, line);
  assertEquals(ended.code, code, `${line}: ${stdout}${stderr}`);
  return stderr + stdout;
}

/** Runs the command line in this process, as if the folder were its own. */
export async function start({ path }: Pick<Workspace, "path">, line: string): Promise<Outcome> {
  const runtime = await loadRuntime();
  const texts = { stdout: "", stderr: "" };
  const output = (name: keyof typeof texts) => ({
    ...{ isTerminal: false, columns: 120, written: () => Promise.resolve() },
    write: (text: string) => void (texts[name] += text),
  });
  const code = await main({
    ...runtime,
    args: line.split(" ").filter((word) => word !== ""),
    stdout: output("stdout"),
    stderr: output("stderr"),
    stdin: { ...runtime.stdin, isTerminal: false },
    cwd: () => path,
  }, ALL_FEATURES);
  return { code, ...texts };
}

/** Changes the database of {@linkcode CONFIG}. */
export function execute({ path }: Pick<Workspace, "path">, sql: string): Promise<void> {
  const database = new DatabaseSync(`${path}/app.db`);
  database.exec(sql);
  database.close();
  return Promise.resolve();
}
