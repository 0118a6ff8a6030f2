import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask, clusterTest, PLAIN, SECURE } from "../../servers/real.ts";
import { clusters, project, template, writesTo } from "./fleets_support.ts";
import { endLease } from "../../migrations/search/kill.ts";

/** 18 doubles, and two servers: `r1` with the security plugin, which is a canary, and `r2` without it. */
const DOUBLES = Array.from({ length: 18 }, (_, index) => `c${`${index + 1}`.padStart(2, "0")}`);

clusterTest(
  PLAIN,
  "20 clusters from one folder: one down, one with a refused file, one killed",
  async () => {
    const name = `fleet-${crypto.randomUUID().slice(0, 8)}`;
    let child: Deno.ChildProcess | undefined;
    const broken = new Set(["c05", "c09"]);
    await using doubles = clusters(DOUBLES, (cluster) => ({
      async intercept(line) {
        if (!broken.has(cluster)) return undefined;
        if (cluster === "c05") await new Promise((done) => setTimeout(done, 50));
        if (cluster === "c09" && line === `PUT /_index_template/${name}-2`) {
          return Response.json({ error: { type: "illegal", reason: "no" } }, { status: 400 });
        }
        return undefined;
      },
      async loseAnswer(line) {
        if (!child || cluster !== "c12" || line !== `PUT /_index_template/${name}-2`) return false;
        child.kill("SIGKILL");
        await child.status;
        child = undefined;
        return true;
      },
    }));
    const down = doubles.c05!.url;
    const of = Object.fromEntries(DOUBLES.map((cluster) => [cluster, {
      hosts: doubles[cluster]!.url,
      ...["c01", "c02"].includes(cluster) && { group: "canary" },
    }]));
    const r1 = {
      ...{ hosts: SECURE.url, username: "admin", password: SECURE.password, ca_cert: SECURE.ca },
      ...{ group: "canary", placeholders: { replicas: 0 } },
    };
    const all = { ...of, c05: { hosts: "http://127.0.0.1:1" }, r1, r2: { hosts: PLAIN.url } };
    await using fleet = await project({
      name,
      placeholders: { replicas: 1 },
      each: { clusters: all, groups: ["canary"], parallel: 4 },
    }, {
      [`${name}/${name}-1-template.json`]: template(`${name}-1`, {
        number_of_replicas: "${replicas}",
      }),
      [`${name}/${name}-2-template.json`]: template(`${name}-2`),
      [`${name}.r2/own/${name}-3-template.json`]: template(`${name}-3`),
    });
    try {
      child = fleet.spawn("migrate");
      assertEquals((await child.output()).signal, "SIGKILL");
      const killed = await fleet.command("status");
      assertEquals(killed.code, 7);
      assertMatch(killed.stdout, / {2} 3 c03 +2 +0 +0 {2}up to date\n/);
      assertMatch(killed.stdout, / {2}19 r1 +2 +0 +0 {2}up to date\n/);
      assertMatch(killed.stdout, / {2} 5 c05 +- +- +- {2}unknown\n/);
      for (const cluster of DOUBLES) endLease(doubles[cluster]!, name);
      for (const cluster of DOUBLES) doubles[cluster]!.requests.length = 0;

      const second = await fleet.command("migrate");
      assertEquals(second.code, 8);
      assertMatch(second.stdout, /not up to date, 20 clusters: .* 2 failed: c05, c09\n/);
      assertEquals(writesTo(doubles.c01!).concat(writesTo(doubles.c03!)), []);
      assertEquals(writesTo(doubles.c12!), [`PUT /_index_template/${name}-2`]);
      const status = await fleet.command("status");
      assertStringIncludes(status.stdout, `the same in all known clusters, applied: 1\n`);
      assertStringIncludes(status.stdout, `  ....?..............a  own/${name}-3-template.json\n`);
      assertStringIncludes(status.stdout, `  aaaa?aaaPaaaaaaaaaaa  ${name}-2-template.json\n`);

      broken.clear();
      for (const cluster of DOUBLES) doubles[cluster]!.requests.length = 0;
      const path = `${fleet.root}/config/application.yml`;
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replace("http://127.0.0.1:1", down));
      const last = await fleet.command("migrate");
      assertEquals(last.code, 0, last.stderr);
      assertMatch(last.stdout, /up to date, 20 clusters: 18 unchanged, 2 migrated\n/);
      assertEquals(DOUBLES.filter((one) => writesTo(doubles[one]!).length > 0), ["c05", "c09"]);
      const drift = await fleet.command("drift");
      assertEquals([drift.code, drift.stderr], [0, ""]);
      const pull = await fleet.command("pull", "--only", "r2", "--match", `${name}*`, "--dry-run");
      assertEquals(pull.code, 0, pull.stderr);
      assertMatch(pull.stdout, /: 3 elsewhere\n/);
    } finally {
      for (const cluster of [PLAIN, SECURE]) {
        await ask(cluster, "DELETE", `/_index_template/${name}*`);
      }
    }
  },
  SECURE.missing,
);
