/** One application in this library, in NestJS and in Spring Boot: what each answers to the same requests. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fragmentOf } from "../runtimes/guide.ts";
import { IS_LONG, writeProof } from "../long/mod.ts";
import {
  describeExchange,
  type Difference,
  type Exchange,
  EXCHANGES,
  type Other,
  requestOf,
} from "./moved/requests.ts";
import { type Built, irori, nestJs, springBoot } from "./moved/servers.ts";

const PAGE = new URL("../../docs/guide/from-other-frameworks.md", import.meta.url);

/** The controller of the page with what it leaves to its reader. */
const CATS = `import "reflect-metadata";
import {
  Body, Controller, Get, Injectable, Module, Param, ParseIntPipe, Post, ValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { IsString } from "class-validator";

class CreateCat {
  @IsString()
  name!: string;
}

@Injectable()
class CatsService {
  private readonly cats = ["Tama"];
  get(id: number) {
    return { id, name: this.cats[id] };
  }
  create({ name }: CreateCat) {
    return { id: this.cats.push(name) - 1, name };
  }
}

${fragmentOf("from-other-frameworks.md", "ParseIntPipe")}
@Module({ controllers: [CatsController], providers: [CatsService] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ["error"] });
app.useGlobalPipes(new ValidationPipe());
app.enableShutdownHooks();
await app.listen(process.env["PORT"] ?? 3000, "127.0.0.1");
console.log(await app.getUrl());
`;

const versions: string[] = [];
const statuses: number[][] = [];

Deno.test("examples/moved + answers as it is written down", async () => {
  await using ours = irori();
  await compare(ours);
});

Deno.test("examples/moved + is what it was in NestJS, but for what is listed", async () => {
  await using nest = await nestJs();
  assertStringIncludes(await nest.test(), "# pass 1");
  await compare(nest, "NestJS");
});

if (IS_LONG) {
  Deno.test("examples/moved + is what it was in Spring Boot, but for what is listed", async () => {
    await using spring = await springBoot();
    await compare(spring, "Spring Boot");
  });
}

Deno.test("docs/guide/from-other-frameworks.md + the controller is one of NestJS", async () => {
  await using nest = await nestJs(CATS);
  await using server = await nest.start();
  const url = `${server.urls[0]}/cats`;
  const post = (body: unknown) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const answers = await Promise.all(
    [fetch(`${url}/0`), fetch(`${url}/x`), post({ name: "Momo" }), post({ name: 1 })],
  );
  assertEquals(answers.map(({ status }) => status), [200, 400, 201, 400]);
  const [tama, , momo] = await Promise.all(answers.map((answer) => answer.json()));
  assertEquals([tama, momo], [{ id: 0, name: "Tama" }, { id: 1, name: "Momo" }]);
});

for (const other of ["NestJS", "Spring Boot"] as const) {
  Deno.test(`docs/guide/from-other-frameworks.md + lists what differs from ${other}`, async () => {
    const [, onwards = ""] = (await Deno.readTextFile(PAGE)).split(`\n## ${other}\n`);
    const [section = ""] = onwards.split("\n## ");
    const rows = section.split("\n").map((line) => line.replace(/ {2,}/g, " "));
    const expected = EXCHANGES.flatMap((exchange) => {
      const { status } = exchange.others?.[other] ?? {};
      return status ? [`| ${describeExchange(exchange)} | ${status} | ${exchange.status} |`] : [];
    });
    assertEquals(expected.filter((row) => !rows.includes(row)), []);
    const listed = rows.filter((row) => /^\| `[A-Z]+ \/.* \| \d{3} \| \d{3} \|$/.test(row));
    assertEquals(listed.filter((row) => !expected.includes(row)), []);
  });
}

Deno.test.afterAll(async () => {
  if (statuses.length < 3) return;
  const cells = (row: readonly unknown[]) => `| ${row.join(" | ")} |`;
  const rows = EXCHANGES.map((exchange, index) => {
    return cells([describeExchange(exchange), ...statuses.map((column) => column[index])]);
  });
  await writeProof(
    "moved",
    "# One application in three frameworks\n\n" +
      "[`examples/moved`](../../examples/moved) was sent these requests, in this order, and answered " +
      "with these statuses. Where they are the same, so are the bodies of successes and of the " +
      "application's own problems, but for the number of a page, which Spring writes from 0.\n\n",
    [cells(["request", ...versions]), cells(["", ...versions].map(() => "---")), ...rows],
  );
});

/** Sends every request and compares status, body and address with what is written down. */
async function compare(built: Built, other?: Other): Promise<void> {
  await using server = await built.start();
  const [url = ""] = server.urls;
  const column: number[] = [];
  for (const exchange of EXCHANGES) {
    const { status, ...answer } = await answerOf(url, exchange);
    column.push(status);
    const expected = expectedOf(exchange, other);
    assertEquals(status, expected.status, describeExchange(exchange));
    if (expected.answer !== undefined) {
      assertEquals(answer.body, expected.answer, describeExchange(exchange));
      assertEquals(answer.location, exchange.location ?? null, describeExchange(exchange));
    }
  }
  versions.push(built.versions);
  statuses.push(column);
}

async function answerOf(url: string, exchange: Exchange) {
  const response = await fetch(requestOf(url, exchange));
  const text = await response.text();
  const body = /json/.test(response.headers.get("Content-Type") ?? "") && text !== ""
    ? JSON.parse(text)
    : text;
  return { status: response.status, body, location: response.headers.get("Location") };
}

/** Where the status differs, the body is only compared if the difference has one. */
function expectedOf({ status, answer, others }: Exchange, other?: Other): Difference {
  const difference = other === undefined ? undefined : others?.[other];
  return difference?.status === undefined
    ? { status, answer: difference?.answer ?? answer }
    : { status: difference.status, answer: difference.answer };
}
