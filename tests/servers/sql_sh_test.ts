import { assertEquals, assertMatch } from "@std/assert";
import { freePort } from "../free_port.ts";

const SCRIPT = new URL("sql.sh", import.meta.url).pathname;
/** Debian's user without rights, who owns no server (plain-words: quoted). */
const UNPRIVILEGED = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"];
const isRoot = Deno.uid() === 0;

Deno.test({
  name: "sql.sh + runs PostgreSQL and MariaDB as another user than root",
  // They are installed where the test command has started them.
  ignore: !isRoot || !Deno.env.has("TEST_PG_URL") || !Deno.env.has("TEST_MYSQL_URL"),
  async fn() {
    await using place = await placeOf();
    assertEquals((await place.run("start")).code, 0);
    try {
      const { stdout } = await place.run("status");
      assertEquals(stdout.match(/^\w+ up/gm), ["postgresql up", "mariadb up", "pgbouncer up"]);
      const owners = await Promise.all(
        ["pg/PG_VERSION", "my/my.pid"].map((file) => Deno.stat(`${place.folder}/${file}`)),
      );
      assertEquals(owners.map(({ uid }) => uid === 0), [false, false]);
    } finally {
      await place.run("stop");
    }
    assertMatch((await place.run("status")).stdout, /^postgresql down\nmariadb down\n/);
  },
});

Deno.test({
  name: "sql.sh + names the package that only root can install",
  ignore: !isRoot,
  async fn() {
    await using place = await placeOf();
    const { code, stderr } = await place.run("start", "postgresql");
    assertEquals(code, 1);
    assertEquals(
      stderr,
      "sql.sh: PostgreSQL is not installed, and only root can install it: " +
        "run 'apt-get install postgresql' as root\n",
    );
  },
});

Deno.test({
  name: "sql.sh stop + ends the other servers where one does not end",
  ignore: !isRoot,
  async fn() {
    await using place = await placeOf();
    const pidFiles = { pgbouncer: "bouncer.pid", pg: "postmaster.pid", my: "my.pid" };
    const processes = await Promise.all(
      Object.entries(pidFiles).map(async ([name, file]) => {
        const folder = `${place.folder}/${name}`;
        await Deno.mkdir(folder, { recursive: true });
        // The script, which runs as another user, may not end the one that root runs.
        const user = name === "pgbouncer" ? [] : UNPRIVILEGED;
        const [program = "", ...args] = [...user, "tail", "-f", "/dev/null", folder];
        const options = { args, stdin: "null", stdout: "null", stderr: "null" } as const;
        const process = new Deno.Command(program, options).spawn();
        await Deno.writeTextFile(`${folder}/${file}`, `${process.pid}\n`);
        return process;
      }),
    );
    try {
      assertEquals((await place.run("stop")).code, 1);
      const { stdout } = await place.run("status");
      assertEquals(stdout.match(/^\w+ \w+/gm), ["postgresql down", "mariadb down", "pgbouncer up"]);
    } finally {
      for (const process of processes) {
        try {
          process.kill("SIGKILL");
        } catch { /* It has ended. */ }
        await process.status;
      }
    }
  },
});

/** A folder that everyone may write to, with free ports. */
async function placeOf() {
  const folder = await Deno.makeTempDir({ prefix: "irori-sql-sh-" });
  await Deno.chmod(folder, 0o777);
  const script = `${folder}/sql.sh`;
  for (const name of ["sql.sh", "install.sh"]) {
    await Deno.copyFile(SCRIPT.replace("sql.sh", name), `${folder}/${name}`);
    await Deno.chmod(`${folder}/${name}`, 0o644);
  }
  const env = {
    SQL_SERVERS_DIR: `${folder}/servers`,
    SQL_SERVERS_PG_PORT: String(freePort()),
    SQL_SERVERS_MYSQL_PORT: String(freePort()),
    SQL_SERVERS_PGBOUNCER_PORT: String(freePort()),
  };
  return {
    folder: env.SQL_SERVERS_DIR,
    async run(command: string, ...servers: readonly string[]) {
      const [program = "", ...args] = [...UNPRIVILEGED, "bash", script, command, ...servers];
      const { code, stdout, stderr } = await new Deno.Command(program, {
        args,
        // A folder without PostgreSQL.
        env: { ...env, ...(servers.length > 0 && { IRORI_PG_DIR: folder }) },
        stdin: "null",
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code, stdout: text(stdout), stderr: text(stderr) };
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
