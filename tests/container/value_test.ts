import { assertEquals, assertRejects } from "@std/assert";
import type { ConfigMap, ConfigValue } from "../../src/config/mod.ts";
import { BeanCreationError, Component, Value } from "../../src/container/mod.ts";
import { contextWith } from "./context_of.ts";

const CONFIG: ConfigMap = {
  server: { port: 8080, name: "irori", tls: false, tags: ["a", "b"] },
  zip: "01234",
  empty: "",
  nothing: null,
};

const VALUES: readonly (readonly [string, ConfigValue])[] = [
  // What is configured keeps its type.
  ["${server.port}", 8080],
  ["${server.name}", "irori"],
  ["${server.tls}", false],
  ["${server.tags}", ["a", "b"]],
  ["${server.tags[1]}", "b"],
  ["${ server.port }", 8080],
  ["${zip}", "01234"],
  ["${empty:default}", ""],
  ["${nothing:default}", null],
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
