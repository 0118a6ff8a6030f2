/** The manager and the policy of the guide, with a role of the application. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { blocksOf } from "../../../tools/docs/blocks.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { IS_ALL } from "../../long/mod.ts";
import { DENO, run } from "../../runtimes/executables.ts";
import { fragmentOf } from "../../runtimes/guide.ts";
import { Project } from "../../runtimes/project.ts";

/** The compiler takes most of the time. */
const CHECKED = IS_ALL ? ["--check"] : [];

const PAGE = "docs/guide/authorization-by-tenant.md";
const MANAGER = fragmentOf("authorization-by-tenant.md", "class TenantTransactions");

const MAIN =
  `import { Autowired, Bean, bootstrap, Configuration, PathVariable } from "@irori/irori";
import { GetMapping, PutMapping, RestController } from "@irori/irori";
import { requestContext } from "@irori/irori/context";
import { basic, security } from "@irori/irori/security";
import { asUser } from "@irori/irori/testing";
import { current, Transactional, transactional } from "@irori/irori/transactions";
import pg from "pg";
import { tenantOfJob, TenantTransactions } from "./tenants.ts";

@Configuration()
class Connections {
  @Bean({ type: pg.Pool, destroy: "end" })
  pool() {
    return new pg.Pool({ connectionString: Deno.env.get("DATABASE_URL"), max: 1 });
  }
}

@RestController()
class OrderController {
  @Autowired(TenantTransactions)
  private readonly database!: TenantTransactions;

  @GetMapping("/orders")
  @Transactional()
  async all() {
    const { rows } = await current(this.database).query("SELECT tenant, text FROM orders");
    return rows;
  }

  @PutMapping("/orders/{text}", PathVariable("text"))
  @Transactional()
  async add(text: string) {
    const sql = "INSERT INTO orders (id, text) SELECT coalesce(max(id), 0) + $2, $1 FROM orders";
    await current(this.database).query(sql, [text, text.length]);
  }

  @PutMapping("/stolen")
  @Transactional()
  async steal() {
    await current(this.database).query("INSERT INTO orders VALUES (9, 'acme', 'stolen')");
  }

  @GetMapping("/outside")
  async outside() {
    return (await current(this.database).query("SELECT * FROM orders")).rows;
  }
}

const app = await bootstrap({
  components: [Connections, TenantTransactions, OrderController],
  extensions: [
    requestContext(),
    security({ schemes: { basic: basic({ verify: () => undefined }) } }),
    () => ({ log: () => {} }),
  ],
});
const ask = async (tenant: string, method: string, path: string) => {
  const user = { name: "ada", tenant };
  const response = await app.request(asUser(user, path, { method }));
  return response.status === 200 ? await response.json() : response.status;
};
const manager = app.context.get(TenantTransactions);
const countOfJob = () =>
  transactional({ manager }, async () =>
    (await current(manager).query("SELECT text FROM orders")).rows);
console.log(JSON.stringify([
  await ask("acme", "PUT", "/orders/tea"),
  await ask("globex", "PUT", "/orders/coffee"),
  await ask("acme", "GET", "/orders"),
  await ask("globex", "GET", "/orders"),
  await ask("globex", "PUT", "/stolen"),
  await ask("globex", "GET", "/outside"),
  await tenantOfJob.run("globex", countOfJob),
]));
await app.close();
`;

Deno.test({
  name: "row level security of the guide + each tenant sees and writes its rows: PostgreSQL",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    const [policy] = blocksOf(await Deno.readTextFile(PAGE), PAGE)
      .filter(({ language }) => language === "sql");
    const datasource = await postgresql.create();
    try {
      await postgresql.query(datasource, policy!.code);
      await postgresql.withRole(datasource, ["orders"], async ({ username }) => {
        const url = new URL(Deno.env.get("TEST_PG_URL")!);
        Object.assign(url, { pathname: `/${datasource.database}`, username, password: "secret" });
        await using project = await Project.empty();
        await project.write("tenants.ts", MANAGER);
        await project.write("main.ts", MAIN);
        const config = ["--config", fromFileUrl(new URL("../../../deno.json", import.meta.url))];
        const printed = await run([...DENO, ...CHECKED, ...config, project.file("main.ts")], {
          cwd: project.path,
          env: { DATABASE_URL: url.href },
        });
        assertEquals(JSON.parse(printed), [
          204,
          204,
          [{ tenant: "acme", text: "tea" }],
          [{ tenant: "globex", text: "coffee" }],
          500,
          [],
          [{ text: "coffee" }],
        ]);
      });
    } finally {
      await postgresql.cleanUp();
    }
  },
});
