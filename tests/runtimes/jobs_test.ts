/** Background jobs on each runtime, as users install them. */
import { assertEquals } from "@std/assert";
import { jobDatabase, postgresqlMissing } from "../features/jobs/support.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { Project } from "./project.ts";

const APP = `import pg from "pg";
import { bootstrap, decorate, inject, Service } from "irori";
import { Job, Jobs, jobs } from "irori/jobs";
import { current, PgTransactions, transactional } from "irori/transactions";

const manager = new PgTransactions(new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 5 }));
class Effects {
  async run({ note }, { id }) {
    await current(manager).query("INSERT INTO effects (job, note) VALUES ($1, $2)", [id, note]);
  }
}
decorate({ Effects }, { run: [Job("effect", { concurrency: 2 })] }, Service());
const app = await bootstrap({
  components: [Effects],
  extensions: [jobs({ manager }), () => ({ log() {}, info() {} })],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
const bean = app.context.get(Jobs);
await transactional({ manager }, () => bean.enqueue("effect", { note: "drained" }));
console.log(JSON.stringify(await bean.drain()));
await app.listen();
await bean.enqueue("effect", { note: "at once" });
for (let rows = []; rows.length < 2;) {
  ({ rows } = await manager.connection.query("SELECT note FROM effects ORDER BY id"));
  if (rows.length === 2) console.log(rows.map(({ note }) => note).join());
}
await app.close();
await manager.pool.end();
`;

const project = Project.equipped();
Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());

const RUNTIMES: readonly (readonly [name: string, command: () => Command | Promise<Command>])[] = [
  ["Node 22", () => node(22)],
  ["Node 24", () => node(24)],
  ["Bun", bun],
  ["Deno", () => DENO],
];

for (const [name, command] of RUNTIMES) {
  Deno.test({
    name: `jobs + ${name} enqueues and runs them on PostgreSQL`,
    ignore: postgresqlMissing !== undefined,
    async fn() {
      await using database = await jobDatabase();
      const made = await project;
      await made.write("app.mjs", APP);
      const url = new URL(Deno.env.get("TEST_PG_URL")!);
      url.pathname = database.datasource.database;
      const env = { DATABASE_URL: url.href };
      const output = await run([...await command(), made.file("app.mjs")], { cwd: made.path, env });
      assertEquals(output, '{"completed":1,"failed":0,"dead":0}\ndrained,at once\n');
    },
  });
}
