import { fromFileUrl, toFileUrl } from "@std/path";
import manifest from "../../deno.json" with { type: "json" };
import { assertRecorded } from "./recorded.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** The part of what `deno doc --json` prints that is recorded. */
interface Documentation {
  readonly nodes: Readonly<Record<string, { readonly symbols: readonly Documented[] }>>;
}

interface Documented {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

interface Declaration {
  readonly kind: string;
  readonly def: {
    readonly properties?: readonly Member[];
    readonly methods?: readonly Member[];
    readonly params?: readonly Member[];
  };
}

interface Member {
  readonly name?: string;
  readonly optional?: boolean;
  readonly accessibility?: string;
  /** The default of an optional type parameter. */
  readonly left?: unknown;
  readonly kind?: string;
}

Deno.test("every entry point offers the names, kinds and members that were recorded", async () => {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...Object.values(manifest.exports)],
    cwd: ROOT,
    stderr: "null",
  });
  const { stdout } = await command.output();
  const { nodes }: Documentation = JSON.parse(new TextDecoder().decode(stdout));
  const entries = Object.entries(manifest.exports).map(([entry, path]) => {
    const symbols = nodes[`${toFileUrl(ROOT)}${path.replace("./", "")}`]?.symbols ?? [];
    const names = symbols.map((symbol) => `  ${described(symbol)}\n`).sort();
    return `${entry}\n${names.join("")}`;
  });
  const found = entries.join("\n");
  await assertRecorded("public_api.txt", found);
});

function described({ name, declarations }: Documented): string {
  const kinds = declarations.map(({ kind, def: { properties = [], methods = [], params } }) => {
    const members = [...properties, ...methods].filter(isPublic).map(memberName).sort();
    const taken = params === undefined ? "" : `(${params.map(parameter).join(", ")})`;
    return `${kind}${taken}${members.length > 0 ? ` { ${members.join(", ")} }` : ""}`;
  });
  return `${name}: ${kinds.join(" | ")}`;
}

function isPublic({ accessibility = "public" }: Member): boolean {
  return accessibility === "public";
}

/** With a question mark where it may be left out. */
function memberName({ name = "", optional }: Member): string {
  return optional ? `${name}?` : name;
}

function parameter({ optional, left, kind }: Member): string {
  if (kind === "rest") return "..._";
  return optional || left ? "_?" : "_";
}
