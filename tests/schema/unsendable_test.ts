import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import {
  bootstrap,
  CookieValue,
  FormParam,
  GetMapping,
  Model,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestParam,
  RequestPart,
  RestController,
} from "@irori/irori";

/** The error of an application with the schema in its second parameter. */
async function refusalOf(schema: StandardSchemaV1): Promise<string> {
  @RestController()
  class DayController {
    @PostMapping("/days", RequestPart("file"), RequestPart("about", schema))
    post(_file: File, _about: unknown) {}
  }
  return await messageOf(DayController);
}

async function messageOf(controller: new () => object): Promise<string> {
  try {
    await using _ = await bootstrap({ components: [controller] });
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("bootstrap() + rejects a body that JSON cannot represent, and names an alternative", async () => {
  class Day extends Model(z.object({ name: z.string(), at: z.date() })) {}
  @RestController()
  class DayController {
    @PostMapping("/days", RequestBody(Day))
    post(_day: Day) {}
  }
  await assertRejects(
    () => bootstrap({ components: [DayController] }),
    Error,
    "Cannot map 'DayController.post': parameter 1 (body) requires a value of type 'date' at '/at', which " +
      "JSON cannot represent; expected z.iso.datetime(), with .pipe(z.coerce.date()) for a Date",
  );
});

type Tree = { at: Date; children: Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ at: z.date(), children: z.array(tree) }));

const REFUSED: readonly (readonly [string, StandardSchemaV1, string])[] = [
  ["a date", z.date(), "'date',"],
  ["an optional one", z.object({ at: z.date().optional() }), "'date' at '/at'"],
  ["one that may be null", z.object({ at: z.date().nullable() }), "'date' at '/at'"],
  ["a union with null", z.object({ at: z.union([z.null(), z.date()]) }), "'date' at '/at'"],
  ["one with a default", z.object({ at: z.date().default(new Date(0)) }), "'date' at '/at'"],
  ["one that is refined", z.object({ at: z.date().refine(() => true) }), "'date' at '/at'"],
  ["one that is transformed", z.date().transform(Number), "'date',"],
  ["those of a list", z.object({ days: z.array(z.date()) }), "'date' at '/days/*'"],
  ["those of a dictionary", z.record(z.string(), z.date()), "'date' at '/*'"],
  ["one within itself", tree, "'date' at '/at'"],
  ["one in every alternative", z.union([z.date(), z.bigint()]), "'date',"],
  [
    "one side of an intersection",
    z.intersection(z.object({}), z.object({ at: z.date() })),
    "'/at'",
  ],
  ["a bigint", z.object({ n: z.bigint() }), "'bigint' at '/n'"],
  ["a map", z.object({ m: z.map(z.string(), z.string()) }), "'map' at '/m'"],
  ["a set", z.object({ s: z.set(z.string()) }), "'set' at '/s'"],
  ["a symbol", z.object({ "a/b": z.symbol() }), "'symbol' at '/a~1b'"],
  ["zod/mini", mini.object({ at: mini.optional(mini.date()) }), "'date' at '/at'"],
  ["Zod 3", z3.object({ at: z3.date().optional() }), "'date' at '/at'"],
  ["ArkType", type({ at: "Date", "n?": "string" }), "'date' at '/at'"],
  ["ArkType's bigint", type({ n: "bigint" }), "'bigint' at '/n'"],
  ["ArkType's Map", type({ list: "Map[]" }), "'map' at '/list/*'"],
  ["Valibot", v.object({ days: v.array(v.nullable(v.date())) }), "'date' at '/days/*'"],
];

for (const [name, schema, expected] of REFUSED) {
  Deno.test(`bootstrap() + refuses ${name} in a part that is JSON`, async () => {
    const message = await refusalOf(schema);
    assertEquals([
      message.includes("parameter 2 (part 'about')"),
      message.includes(expected),
    ], [
      true,
      true,
    ], message);
  });
}

const TAKEN: readonly (readonly [string, StandardSchemaV1])[] = [
  ["dates made of texts", z.object({ at: z.coerce.date(), n: z.coerce.bigint() })],
  ["texts", z.object({ at: z.iso.datetime() })],
  ["an alternative", z.object({ at: z.union([z.iso.datetime(), z.date()]) })],
  ["what a pipe makes", z.string().transform((text) => new Date(text)).pipe(z.date())],
  ["codecs", z.codec(z.string(), z.date(), { decode: (s) => new Date(s), encode: String })],
  ["what is made before", z.preprocess((value) => new Date(String(value)), z.date())],
  ["what is caught", z.object({ at: z.date().catch(new Date(0)) })],
  ["fields that must not be there", z.object({ a: z.undefined(), b: z.never().optional() })],
  ["zod/mini", mini.object({ at: mini.coerce.date() })],
  ["Zod 3", z3.object({ at: z3.preprocess(String, z3.date()), n: z3.coerce.date() })],
  ["ArkType", type({ at: "string.date.parse", or: "string | Date", "n?": "number | null" })],
  [
    "Valibot",
    v.object({ at: v.pipe(v.string(), v.toDate()), or: v.union([v.string(), v.date()]) }),
  ],
];

for (const [name, schema] of TAKEN) {
  Deno.test(`bootstrap() + takes ${name} in a part that is JSON: ${schema["~standard"].vendor}`, async () => {
    assertEquals(await refusalOf(schema), "");
  });
}

Deno.test("bootstrap() + lets answers and forms have what JSON cannot hold", async () => {
  @RestController()
  class DayController {
    @GetMapping({ path: "/days", returns: z.object({ at: z.date() }) })
    get() {
      return { at: new Date(0) };
    }

    @PostMapping(
      { path: "/days", consumes: "multipart/form-data" },
      RequestBody(z.object({ file: z.file() })),
    )
    post(_form: { file: File }) {}
  }
  assertEquals(await messageOf(DayController), "");
});

const OF_TEXTS: readonly (readonly [string, StandardSchemaV1, string])[] = [
  ["a number", z.number(), "'number', which text cannot represent"],
  ["a whole number", z.int().optional(), "'number', which text cannot represent"],
  ["a boolean", z.boolean(), 'z.stringbool() or the word "boolean"'],
  ["a date", mini.date(), ".pipe(z.coerce.date())"],
  ["Valibot's number", v.number(), 'the word "number"'],
  ["ArkType's integer", type("number.integer"), 'the word "int"'],
];

for (const [name, schema, expected] of OF_TEXTS) {
  Deno.test(`bootstrap() + refuses ${name} in a parameter, as it is a text`, async () => {
    @RestController()
    class DayController {
      @GetMapping("/days", RequestParam("n", schema))
      get(_n: unknown) {}
    }
    const message = await messageOf(DayController);
    assertEquals(
      [message.includes("(query 'n')"), message.includes(expected)],
      [true, true],
      message,
    );
  });
}

Deno.test("bootstrap() + refuses a number in a query that a schema binds, and takes what makes one", async () => {
  @RestController()
  class DayController {
    @GetMapping("/days", RequestParam(z.object({ q: z.string(), limit: z.number().default(1) })))
    get(_query: unknown) {}
  }
  assertStringIncludes(
    await messageOf(DayController),
    "(query) requires a value of type 'number' at '/limit'",
  );
  @RestController()
  class NightController {
    @GetMapping(
      "/nights",
      RequestParam(z.object({ limit: z.coerce.number(), ids: z.array(z.coerce.number()) })),
      RequestHeader("X-At", v.pipe(v.string(), v.toDate())),
      CookieValue("n", type("string.numeric.parse")),
      RequestParam("open", z.stringbool()),
      RequestParam("size", z.string().transform(Number).pipe(z.number())),
    )
    get(..._values: unknown[]) {}
  }
  assertEquals(await messageOf(NightController), "");
});

Deno.test("bootstrap() + refuses a list in a parameter, and a text as a whole query or form", async () => {
  const lists = [z.array(z.string()).optional(), v.array(v.string()), type("string[]")];
  const mistakes = [
    ...lists.flatMap((list) =>
      [
        [RequestParam("tag", list), "(query 'tag')"],
        [RequestParam("tag", list, { list: true }), "(query 'tag')"],
        [RequestHeader("X-Tag", list), "(header 'X-Tag')"],
        [CookieValue("tag", list), "(cookie 'tag')"],
        [FormParam("tag", list), "(form 'tag')"],
        [RequestParam(list), "(query)"],
      ] as const
    ),
    [RequestParam(z.string()), "(query) requires a value of type 'string', which text fields"],
    [FormParam(z.string().transform(Number)), "(form) requires a value of type 'string'"],
  ] as const;
  for (const [binder, said] of mistakes) {
    @RestController()
    class TagController {
      @PostMapping("/tags", binder)
      get(_tag: unknown) {}
    }
    const message = await messageOf(TagController);
    assertStringIncludes(message, said);
    assertStringIncludes(message, "{ list: true }");
  }
  @RestController()
  class TakenController {
    @PostMapping(
      "/tags",
      RequestParam("one", z.preprocess((one) => one, z.array(z.string()))),
      RequestParam(
        "json",
        z.string().transform((text) => text.split(",")).pipe(z.array(z.string())),
      ),
      RequestHeader("X-Tag", z.string(), { list: true }),
      RequestBody(z.array(z.string())),
    )
    get(..._values: unknown[]) {}
  }
  assertEquals(await messageOf(TakenController), "");
});
