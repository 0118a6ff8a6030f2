import { fromFileUrl, join, toFileUrl } from "@std/path";
import { type Figure, median } from "./report.ts";

const ROUNDS = 5;
const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const CLIENT = new URL("../../src/features/client/mod.ts", import.meta.url).href;
const NAMES = [
  "DeleteMapping",
  "GetMapping",
  "Model",
  "PathVariable",
  "PostMapping",
  "PutMapping",
  "RequestBody",
  "RequestParam",
  "RestController",
];

/** The time that 500 routes add to the type check of a program that only imports the library and a schema library. */
export async function typeCheckTimes(): Promise<Figure> {
  return await difference("500 routes beyond an empty program", program(0), program(100));
}

/** The time that calls of 500 routes by typed clients add to the type check of the program that declares them. */
export async function clientCheckTimes(): Promise<Figure> {
  const calls = Array.from({ length: 100 }, (_, index) => clientOf(index)).join("");
  const head = `import { client } from ${JSON.stringify(CLIENT)};\n`;
  return await difference(
    "calls of 500 routes by typed clients beyond the routes",
    program(100),
    head + program(100) + calls,
  );
}

/** The time that `returns` on 500 routes adds to the type check, without the part that the routes share. */
export async function returnsCheckTimes(): Promise<Figure> {
  const texts = [program(0), program(100), program(100, true)] as const;
  const folder = await Deno.makeTempDir();
  try {
    const rounds: number[][] = [];
    await check(folder, "warm-up", texts[0]);
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[] = [];
      for (const [index, text] of texts.entries()) {
        times.push(await check(folder, `${index}-${round}`, text));
      }
      rounds.push(times);
    }
    const [empty = 0, without = 0, withReturns = 0] = texts.map((_, index) =>
      median(rounds.map((times) => times[index] ?? 0))
    );
    return {
      name: "type check of 500 routes with returns",
      value: (withReturns - empty) / (without - empty),
      unit: "× without",
      bound: { atMost: 1.5 },
      note: `${Math.round(withReturns - empty)} ms against ${Math.round(without - empty)} ms`,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function difference(name: string, base: string, more: string): Promise<Figure> {
  const folder = await Deno.makeTempDir();
  try {
    const [empty, full]: [number[], number[]] = [[], []];
    await check(folder, "warm-up", base);
    for (let round = 0; round < ROUNDS; round++) {
      empty.push(await check(folder, `empty-${round}`, base));
      full.push(await check(folder, `full-${round}`, more));
    }
    const difference = median(full) - median(empty);
    return {
      name: `type check of ${name}`,
      value: difference / 1000,
      unit: "s",
      bound: { atMost: 1 },
      note: `${Math.round(median(full))} ms against ${Math.round(median(empty))} ms`,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A name of its own keeps the result of an earlier check from being taken. */
async function check(folder: string, name: string, text: string): Promise<number> {
  const path = join(folder, `${name}.ts`);
  await Deno.writeTextFile(path, `${text}\nexport const name = ${JSON.stringify(name)};\n`);
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const start = performance.now();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", config, toFileUrl(path).href],
  }).output();
  const time = performance.now() - start;
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return time;
}

function program(controllers: number, returns = false): string {
  const head = `import { ${NAMES.join(", ")} } from ${JSON.stringify(LIBRARY)};
import { z } from "zod";
export const used = [${NAMES.join(", ")}, z];
`;
  return head +
    Array.from({ length: controllers }, (_, index) => controller(index, returns)).join("");
}

/** The schemas are there either way: what is compared is that routes say that they return them. */
function controller(index: number, returns: boolean): string {
  const at = (path: string, schema: string) =>
    returns ? `{ path: "${path}", returns: ${schema}${index} }` : `"${path}"`;
  const path = `/things${index}`;
  const thing = `Thing${index}`;
  return `
class ${thing} extends Model(z.object({ name: z.string(), size: z.number() })) {}
const list${index} = z.array(z.union([z.number(), z.string()]));
const one${index} = z.object({ id: z.int() });
const changed${index} = z.object({ id: z.int(), part: z.string(), thing: ${thing} });
const removed${index} = z.array(z.unknown());

@RestController()
export class Controller${index} {
  @GetMapping(${
    at(path, "list")
  }, RequestParam("page", "int", { defaultValue: 1 }), RequestParam("sort", ["asc", "desc"]))
  list(page: number, sort: "asc" | "desc") {
    return [page, sort];
  }
  @GetMapping(${at(`${path}/{id}`, "one")}, PathVariable("id", "int"))
  get(id: number) {
    return { id };
  }
  @PostMapping(${at(path, "Thing")}, RequestBody(${thing}))
  create(thing: ${thing}) {
    return thing;
  }
  @PutMapping(${
    at(`${path}/{id}/{part}`, "changed")
  }, PathVariable("id", "int"), PathVariable("part"), RequestBody(${thing}))
  update(id: number, part: string, thing: ${thing}) {
    return { id, part, thing };
  }
  @DeleteMapping(${
    at(`${path}/{id}`, "removed")
  }, PathVariable("id", "uuid"), RequestParam("force", "boolean", { required: false }))
  remove(id: string, force: boolean | undefined) {
    return [id, force];
  }
}
`;
}

function clientOf(index: number): string {
  return `
const things${index} = client<Controller${index}>("", {});
export const all${index} = [
  await things${index}.list(1, "asc"),
  (await things${index}.get(1)).id,
  (await things${index}.create({ name: "", size: 1 })).name,
  (await things${index}.update(1, "", { name: "", size: 1 })).thing.size,
  await things${index}.remove("", true),
];
`;
}
