/**
 * Writes `recorded_settings.json`: the settings of indices, and those of clusters that can be changed at runtime, with their
 * defaults. It tries to set each of the latter to its default.
 *
 * Usage: `deno run -A tools/schemas/record_settings.ts <URL of a cluster without security>…`
 */
type Settings = Readonly<Record<string, unknown>>;

const INDEX = "irori-recorded-settings";
const SHOWN = 40;
const OF_ONE_INDEX = /^index\.(?:creation_date|history\.uuid|provided_name|uuid|version\..+)$/;

async function ask(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return await response.json();
}

/** Values that another version has are kept. */
function add(found: Map<string, string>, settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (OF_ONE_INDEX.test(name)) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (["", "-1"].includes(found.get(name) ?? "")) {
      found.set(name, text.length < SHOWN ? text : "...");
    }
  }
}

async function isDynamic(url: string, name: string, value: unknown): Promise<boolean> {
  const put = (value: unknown) =>
    ask(url, "PUT", "/_cluster/settings", { persistent: { [name]: value } });
  const text = JSON.stringify(await put(value));
  if (/not dynamically updateable|not recognized/.test(text)) return false;
  await put(null);
  return true;
}

const index = new Map<string, string>();
const cluster = new Map<string, string>();
for (const url of Deno.args) {
  await ask(url, "PUT", `/${INDEX}`);
  const query = "include_defaults=true&flat_settings=true";
  const found = await ask(url, "GET", `/${INDEX}/_settings?${query}`);
  const { settings, defaults } = (found as Record<string, Record<string, Settings>>)[INDEX]!;
  add(index, { ...defaults, ...settings });
  await ask(url, "DELETE", `/${INDEX}`);
  const ofCluster = await ask(url, "GET", `/_cluster/settings?${query}`);
  const { defaults: all } = ofCluster as { readonly defaults: Settings };
  for (const [name, value] of Object.entries(all)) {
    if (await isDynamic(url, name, value)) add(cluster, { [name]: value });
  }
}
const sorted = (found: ReadonlyMap<string, string>) => Object.fromEntries([...found].sort());
await Deno.writeTextFile(
  new URL("recorded_settings.json", import.meta.url),
  `${JSON.stringify({ index: sorted(index), cluster: sorted(cluster) }, null, 2)}\n`,
);
