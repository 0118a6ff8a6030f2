import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  Bean,
  bootstrap,
  type BootstrapOptions,
  Component,
  Configuration,
  GetMapping,
  inject,
  type Middleware,
  NoSuchBeanError,
  Profile,
  RestController,
  Use,
} from "../../mod.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Type } from "../../src/container/mod.ts";

abstract class Mailer {
  abstract readonly name: string;
}
@Component("mailer")
@Profile("dev", "test")
class FakeMailer extends Mailer {
  readonly name = "fake";
}
@Component("mailer")
@Profile("!dev")
@Profile("!test")
class SmtpMailer extends Mailer {
  readonly name = "smtp";
}
@Configuration()
class Beans {
  @Bean()
  @Profile("prod")
  pool() {
    return { size: 100 };
  }
  @Bean("pool")
  @Profile("!prod")
  smallPool() {
    return { size: 1 };
  }
}
@RestController()
@Profile("dev")
class DebugController {
  @GetMapping("/debug")
  debug() {}
}
const components = [FakeMailer, SmtpMailer, Beans, DebugController];

Deno.test("Profile() + decides on components, beans of methods and controllers", async () => {
  for (
    const [profiles, mailer, size, routes] of [
      [[], "smtp", 1, 0],
      [["dev"], "fake", 1, 1],
      [["test", "prod"], "fake", 100, 0],
      [["prod"], "smtp", 100, 0],
    ] as const
  ) {
    await using app = await bootstrap({ components, profiles });
    assertEquals(app.context.get(Mailer).name, mailer);
    assertEquals(app.context.getByName("pool"), { size });
    assertEquals(app.routeTable.length, routes);
  }
});

Deno.test("Profile() + knows profiles of the configuration and of the environment", async () => {
  for (
    const options of <BootstrapOptions[]> [
      { config: { "profiles.active": "dev, other" } },
      { config: { profiles: { active: ["dev"] } } },
      { config: { "profiles.active": "${ACTIVE}" }, env: { ACTIVE: "dev" } },
      { env: { PROFILES_ACTIVE: "dev" } },
    ]
  ) {
    await using app = await bootstrap({ components, ...options });
    assertEquals(app.routeTable.length, 1, JSON.stringify(options));
  }
});

Deno.test("loadConfig() + says the profiles that it was asked for, and takes them of options", async () => {
  const root = await Deno.makeTempDir();
  await Deno.writeTextFile(`${root}/application.yml`, "profiles: { active: prod }\n");
  await Deno.writeTextFile(`${root}/application-dev.yml`, "name: dev\n");
  await Deno.writeTextFile(`${root}/application-prod.yml`, "name: prod\n");
  const asked = await loadConfig({ root, profiles: ["dev"] });
  assertEquals([asked.strings("profiles.active"), asked.string("name")], [["dev"], "dev"]);
  const overridden = await loadConfig({ root, overrides: { "profiles.active": "dev" } });
  assertEquals([overridden.strings("profiles.active"), overridden.string("name")], [
    ["dev"],
    "dev",
  ]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("Profile() + that excludes a required bean is reported with its bean", async () => {
  @Component()
  class Reader {
    readonly mailer = inject(FakeMailer);
  }
  await assertRejects(
    () => bootstrap({ components: [Reader, FakeMailer], profiles: ["prod"] }),
    NoSuchBeanError,
    'Cannot find a bean of type FakeMailer (needed by reader): FakeMailer has @Profile("dev", "test"), and active are: prod',
  );
  @Profile("prod")
  class Audit implements Middleware {
    async handle() {}
  }
  await assertRejects(
    () => bootstrap({ middleware: [Audit] }),
    NoSuchBeanError,
    'Cannot find a bean of type Audit: Audit has @Profile("prod"), and active are: none',
  );
});

Deno.test("Profile() + is named where a bean that it leaves out is asked for by name, or overridden", async (t) => {
  @Component()
  class Reader {
    readonly pool = inject("pool");
  }
  @Configuration()
  class Pools {
    @Bean({ type: FakeMailer })
    @Profile("prod")
    pool() {
      return { size: 100 };
    }
  }
  @Configuration()
  @Profile("cloud")
  class Cloud {
    @Bean()
    bucket() {
      return {};
    }
  }
  class Audit implements Middleware {
    async handle() {}
  }
  @RestController()
  @Profile("dev")
  @Use(Audit)
  class Debug {}
  const ofClass = 'FakeMailer has @Profile("dev", "test"), and active are: none';
  const ofMethod = 'Pools.pool() has @Profile("prod"), and active are: none';
  const cases: readonly [string, string | Type<unknown>, string][] = [
    ["by name", "mailer", `'mailer': there is none: ${ofClass}`],
    ["by type", FakeMailer, `FakeMailer: there is none: ${ofClass}`],
    ["by base type", Mailer, `Mailer: there is none: ${ofClass}`],
    ["a bean of a method", "pool", `'pool': there is none: ${ofMethod}`],
    [
      "a bean of a class that is left out",
      "bucket",
      "'bucket': there is none: Cloud has @Profile(\"cloud\"), and active are: none",
    ],
  ];
  for (const [name, key, message] of cases) {
    await t.step(name, async () => {
      const components = [FakeMailer, Pools, Cloud, Debug].slice(
        key === "mailer" || typeof key !== "string" ? 0 : 1,
      );
      await assertRejects(
        () => bootstrap({ components, overrides: [[key, {}]] }),
        TypeError,
        `Cannot override the bean ${message}`,
      );
    });
  }
  await assertRejects(
    () => bootstrap({ components: [Reader, Pools] }),
    NoSuchBeanError,
    `Cannot find a bean named 'pool' (needed by reader): ${ofMethod}`,
  );
});

Deno.test("Profile() + refuses what is no name of a profile", () => {
  for (const wrong of ["", "a & b", "!!a", "a,b"]) {
    assertThrows(
      () => {
        @Profile(wrong)
        class _ {}
      },
      TypeError,
      `Cannot apply @Profile to '_': expected names such as "dev" or "!prod", found '${wrong}'`,
    );
  }
});
