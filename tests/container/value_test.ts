import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { relative } from "@std/path";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import fc from "fast-check";
import * as v from "valibot";
import { type } from "arktype";
import { z } from "zod";
import { type ConfigMap, type ConfigValue, createConfig } from "../../src/config/mod.ts";
import { loadConfig } from "../../src/config/load.ts";
import { evaluate } from "../../src/container/_value.ts";
import { BeanCreationError, Component, createContext, Value } from "../../src/container/mod.ts";
import type { ValueType } from "../../src/schema/mod.ts";
import { contextWith } from "./context_of.ts";

const CONFIG: ConfigMap = {
  server: { port: 8080, name: "irori", tls: false, tags: ["a", "b"] },
  zip: "01234",
  empty: "",
  nothing: null,
};

const VALUES: readonly (readonly [string, ConfigValue])[] = [
  // A value that is one placeholder keeps the type of the configuration.
  ["${server.port}", 8080],
  ["${server.name}", "irori"],
  ["${server.tls}", false],
  ["${server.tags}", ["a", "b"]],
  ["${server.tags[1]}", "b"],
  ["${ server.port }", 8080],
  ["${zip}", "01234"],
  ["${empty:default}", ""],
  // A key without a value is not set, as in the configuration itself.
  ["${nothing:default}", "default"],
  ["${server.port:1}", 8080],
  // A default that reads as a number or a boolean is one.
  ["${none:20}", 20],
  ["${none:-1.50}", -1.5],
  ["${none:0}", 0],
  ["${none:true}", true],
  ["${none:false}", false],
  ["${none:text}", "text"],
  ["${none:}", ""],
  ["${none:007}", "007"],
  ["${none:1e3}", "1e3"],
  ["${none:12345678901234567890}", "12345678901234567890"],
  ["${none:http://localhost:1/}", "http://localhost:1/"],
  // Defaults may hold placeholders; one alone keeps its type.
  ["${none:${server.port}}", 8080],
  ["${none:${other:${third:7}}}", 7],
  ["${none:${other:a}b}", "ab"],
  ["${none:<${server.port}>}", "<8080>"],
  // Braces in a default come in pairs.
  ['${none:{"a":{"b":1}}}', '{"a":{"b":1}}'],
  ['${zip:{"a":1}}', "01234"],
  // An escaped placeholder is a text.
  ["$${server.port}", "${server.port}"],
  ["${none:$${server.port}}", "${server.port}"],
  // Anything around placeholders makes a text.
  ["http://${server.name}:${server.port}/", "http://irori:8080/"],
  ["${server.port}${none:0}", "80800"],
  ["plain", "plain"],
  ["", ""],
];

Deno.test("Value() + gives what is configured, or its default", async (t) => {
  for (const [expression, expected] of VALUES) {
    await t.step(expression, async () => {
      @Component()
      class Bean {
        @Value(expression)
        readonly shown!: ConfigValue;
        @Value(expression)
        readonly #hidden!: ConfigValue;
        hidden(): ConfigValue {
          return this.#hidden;
        }
      }
      const bean = (await contextWith([Bean], { config: CONFIG })).get(Bean);
      assertEquals([bean.shown, bean.hidden()], [expected, expected]);
    });
  }
});

Deno.test("Value() + of a missing key names bean, class, field and key", async () => {
  class Base {
    @Value("${users.page-size}")
    readonly pageSize!: number;
  }
  @Component("people")
  class Users extends Base {}
  const error = await assertRejects(() => contextWith([Users], {}), BeanCreationError);
  assertEquals(
    error.message,
    "Cannot build the bean 'people': Cannot fill 'Users.pageSize': the configuration has no 'users.page-size'",
  );

  @Component()
  class Client {
    @Value("http://${host}/")
    readonly #url!: string;
    url(): string {
      return this.#url;
    }
  }
  await assertRejects(
    () => contextWith([Client], {}),
    BeanCreationError,
    "Cannot fill 'Client.#url': the configuration has no 'host'",
  );
});

const CONVERTED: readonly (readonly [string, ValueType, unknown])[] = [
  ["${server.port}", "int", 8080],
  ["${server.port}", "string", "8080"],
  ["${server.port}", "bigint", 8080n],
  ["${none:10}", "int", 10],
  ["${none:${server.port}}", "int", 8080],
  ["${none:1.50}", "string", "1.50"],
  ["${none:1e3}", "number", 1000],
  ["${server.tls}", "boolean", false],
  ["${none:yes}", "boolean", true],
  ["1${server.port}", "int", 18080],
  ["7", "int", 7],
  ["${zip}", "int", 1234],
  ["${none:2026-11-21}", "date", "2026-11-21"],
  ["${none:2026-11-21T00:00:00Z}", "date-time", new Date("2026-11-21T00:00:00Z")],
  ["${none:b}", ["a", "b"], "b"],
  // A schema is given what is configured.
  ["${server}", z.object({ port: z.int() }), { port: 8080 }],
  ["${server.tags}", z.array(z.string()), ["a", "b"]],
  ["${none:20}", z.int(), 20],
  // Valibot's schemas have a 'kind', as the context of a decorator has.
  ["${server.name}", v.string(), "irori"],
  ["${server.name}", type("string"), "irori"],
];

Deno.test("Value() + converts to what is asked for", async (t) => {
  for (const [expression, type, expected] of CONVERTED) {
    await t.step(`${expression} to ${typeof type === "string" ? type : "others"}`, async () => {
      @Component()
      class Bean {
        @Value(expression, type)
        readonly value: unknown;
      }
      const bean = (await contextWith([Bean], { config: CONFIG })).get(Bean);
      assertEquals(bean.value, expected);
    });
  }
});

Deno.test("Value() + a failed conversion is reported with file, line, key, field and value", async () => {
  const root = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${root}/application.yml`,
    "pool:\n  size: ten\n  list: [1]\n  ids: 007\n  borrowed: ${api.token}\napi:\n  token: s3cr3t\n",
  );
  const config = await loadConfig({ root });
  // As messages name it, from the working directory where that is near.
  const path = `${root}/application.yml`;
  const short = relative(Deno.cwd(), path);
  const file = short.length < path.length ? short : path;
  const cases: readonly (readonly [string, ValueType, string])[] = [
    [
      "${pool.size}",
      "int",
      `${file}:2: 'pool.size': Cannot fill 'Pool.size': expected an integer, found 'ten'`,
    ],
    [
      "${pool.size}",
      ["one"],
      `${file}:2: 'pool.size': Cannot fill 'Pool.size': expected one of 'one', found 'ten'`,
    ],
    [
      "${pool.list}",
      "int",
      `${file}:3: 'pool.list': Cannot fill 'Pool.size': expected an integer, found a list`,
    ],
    ["${api.token}", "int", `${file}:7: 'api.token': Cannot fill 'Pool.size': expected an integer`],
    // A text that contains a secret is a secret.
    [
      "${pool.borrowed}",
      "int",
      `${file}:5: 'pool.borrowed': Cannot fill 'Pool.size': expected an integer`,
    ],
    [
      "${api.token}",
      z.literal("x", { error: ({ input }) => `no ${input}` }),
      `${file}:7: 'api.token': Cannot fill 'Pool.size': it does not match the schema`,
    ],
    ["a${api.token}", "int", "Cannot fill 'Pool.size' with 'a${api.token}': expected an integer"],
    [
      "${none:many}",
      "int",
      "Cannot fill 'Pool.size' with '${none:many}': expected an integer, found 'many'",
    ],
    [
      "${pool.list}!",
      "string",
      "Cannot fill 'Pool.size': 'pool.list' is a map or a list, which text cannot contain",
    ],
    [
      "${pool.size",
      "int",
      "Cannot fill 'Pool.size': Cannot fill a placeholder: expected '}', or '$${' for a literal '${'",
    ],
    ["${none:${other}}", "int", "Cannot fill 'Pool.size': the configuration has no 'other'"],
  ];
  for (const [expression, type, message] of cases) {
    @Component()
    class Pool {
      @Value(expression, type)
      readonly size: unknown;
    }
    const error = await assertRejects(
      () => createContext({ components: [Pool], config }),
      BeanCreationError,
    );
    assertEquals(error.message, `Cannot build the bean 'pool': ${message}`);
  }
  assertEquals(evaluate("${pool.ids}", config, "", "string"), "007");
  await Deno.remove(root, { recursive: true });
});

Deno.test("Value() + fills what the environment says, as the configuration does", () => {
  const config = createConfig({ size: 1 }, { env: { POOL_SIZE: "9", size: "2" } });
  assertEquals(evaluate("${POOL_SIZE}", config, "", "int"), 9);
  assertEquals(evaluate("${size}", config, ""), "2");
});

Deno.test("Value() + reads the same grammar as the configuration", () => {
  const outcome = (action: () => unknown) => {
    try {
      return action();
    } catch {
      return "refused";
    }
  };
  const token = fc.constantFrom("${", "}", "$", "{", ":", "a", "b.c", "x", " ", "$${");
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join("");
      fc.pre(text !== "b.c"); // A key without a placeholder is refused.
      const values = { a: "A", b: { c: "${a}" } };
      const config = createConfig({ ...values, text });
      // A text before the placeholder makes the whole a text.
      assertEquals(
        outcome(() => evaluate(`-${text}`, config, "")),
        outcome(() => `-${config.get("text")}`),
      );
      assertEquals(
        outcome(() => evaluate(text, config, "", "string")),
        outcome(() => config.get("text")),
      );
    }),
    { numRuns: 2000 },
  );
});

const SECRETIVE = createConfig({
  db: { url: "u", password: "hunter2", borrowed: "${db.password}", port: "x" },
});
const repeated = () => z.string().refine(() => false, { error: ({ input }) => `no ${input}` });

Deno.test("Value() + a schema of a map names the key, and repeats no secret of it", () => {
  const cases: readonly (readonly [string, ValueType, string])[] = [
    [
      "${db}",
      z.object({ password: repeated() }),
      "'db.password': Cannot fill 'A.b': it does not match the schema",
    ],
    [
      "${db}",
      z.object({ borrowed: repeated() }),
      "'db.borrowed': Cannot fill 'A.b': it does not match the schema",
    ],
    ["${db}", z.object({ port: repeated() }), "'db.port': Cannot fill 'A.b': no x"],
    // A message about the whole text may repeat the whole.
    [
      "${db}",
      z.looseObject({}).refine(() => false, { error: ({ input }) => JSON.stringify(input) }),
      "'db': Cannot fill 'A.b': it does not match the schema",
    ],
  ];
  for (const [expression, type, message] of cases) {
    assertThrows(() => evaluate(expression, SECRETIVE, "A.b", type), Error, message);
  }
  const { message } = assertThrows(
    () => SECRETIVE.bind("db", z.object({ borrowed: repeated() })),
    Error,
  );
  assertEquals(message.includes("hunter2"), false);
});

function schemaOf(validate: (value: unknown) => Promise<never>): StandardSchemaV1 {
  return { "~standard": { version: 1, vendor: "test", validate } };
}

Deno.test("Value() + a schema that is asynchronous or fails is an error that repeats nothing", () => {
  const fails = (input: unknown): never => {
    throw new RangeError(`no ${input}`);
  };
  for (
    const [schema, said] of [
      [schemaOf((value) => Promise.resolve(value).then(fails)), "synchronous"],
      [schemaOf(fails), "the schema failed with RangeError"],
    ] as const
  ) {
    const error = assertThrows(
      () => evaluate("${db.password}", SECRETIVE, "A.b", schema),
      TypeError,
    );
    assertStringIncludes(error.message, "Cannot fill 'A.b': ");
    assertStringIncludes(error.message, said);
    assertEquals(Deno.inspect(error).includes("hunter2"), false);
  }
});

Deno.test("Value() + asks a schema about a key that is missing", () => {
  const value = (type: ValueType) => evaluate("${none}", SECRETIVE, "A.b", type);
  assertEquals(value(z.number().default(3)), 3);
  assertEquals(value(z.number().optional()), undefined);
  assertThrows(() => value(z.number()), Error, "the configuration has no 'none'");
});

Deno.test("Value() + names a type that there is none of", () => {
  for (
    const [type, found] of [["integer", '"integer"'], ["toString", '"toString"'], [
      Number,
      "function",
    ]]
  ) {
    assertThrows(
      () => evaluate("${db.url}", SECRETIVE, "A.b", type as ValueType),
      TypeError,
      `Cannot fill 'A.b': expected a type such as "int", a list of strings or a schema, found ${found}`,
    );
  }
});
