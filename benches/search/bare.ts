/**
 * Sends the least that is needed, over one connection: `bare.ts first|unchanged|added|look|read <url> <folder>`. The
 * first run asks for nothing that is there; the others apply what has no record. `look` asks for the records of our own
 * run, so that the cluster has as much to answer.
 */
import { basename, join } from "node:path";

const [mode, url = "", folder = ""] = Deno.args;

async function send(method: string, path: string, body: string, type = "application/json") {
  const response = await fetch(url + path, { method, headers: { "Content-Type": type }, body });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":true')) throw new Error(text);
  return text;
}

async function* texts(): AsyncIterable<{ name: string; text: string }> {
  for (const name of [...Deno.readDirSync(folder)].map(({ name }) => name).sort()) {
    const bytes = await Deno.readFile(join(folder, name));
    await crypto.subtle.digest("SHA-256", bytes);
    yield { name, text: new TextDecoder().decode(bytes) };
  }
}

async function apply(name: string, text: string): Promise<void> {
  await send("PUT", `/_index_template/${name.replace("-template.json", "")}`, text);
  const action = { index: { _index: "framework_migrations", _id: `bare/${name}` } };
  const record = { migration_path: name, connection: "bare", content_hash: "0".repeat(64) };
  const body = `${JSON.stringify(action)}\n${JSON.stringify(record)}\n`;
  await send("POST", "/_bulk", body, "application/x-ndjson");
}

if (mode === "read") {
  const docs = [{ _index: "framework_migrations_lock", _id: "bench" }];
  await send("POST", "/_mget", JSON.stringify({ docs }));
} else if (mode === "first") {
  for await (const { name, text } of texts()) await apply(name, text);
} else {
  const files = await Array.fromAsync(texts());
  const owner = mode === "look" ? basename(folder) : "bare";
  const docs = files.map(({ name }) => ({
    _index: "framework_migrations",
    _id: `${owner}/${name}`,
  }));
  const answer = JSON.parse(await send("POST", "/_mget", JSON.stringify({ docs })));
  if (mode !== "look") {
    for (const [index, { name, text }] of files.entries()) {
      if (!answer.docs[index].found) await apply(name, text);
    }
  }
}
