/** The documentation page of the users example, in a browser. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { Page } from "playwright-core";
import { CHROMIUM, CHROMIUM_SKIPPED, launchChromium, screenshot } from "../../chromium.ts";
import { serving } from "../../runtimes/serving.ts";

Deno.test({
  name:
    `swaggerUi() + lists the operations of the users example and tries one (Chromium)${CHROMIUM_SKIPPED}`,
  ignore: !CHROMIUM,
  // Connections of the browser end a moment after it.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "irori-page-" });
    try {
      await using users = await serving(
        [
          ...["env", `USERS_DATABASE=${join(folder, "users.db")}`, "SERVER_PORT=0"],
          ...[Deno.execPath(), "run", "-A", "--no-check", "examples/users/main.ts"],
        ],
        Deno.cwd(),
        1,
      );
      const [url = ""] = users.urls;
      const browser = await launchChromium();
      try {
        await visit(await browser.newPage({ viewport: { width: 1280, height: 1400 } }), url);
      } finally {
        await browser.close();
      }
      const created = await (await fetch(`${url}/users/3`)).json();
      assertEquals(created.data, { id: 3, name: "Grace Hopper", email: "grace@example.com" });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

async function visit(page: Page, url: string): Promise<void> {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => console.error("policy", effectiveDirective, blockedURI))',
  );

  const response = await page.goto(`${url}/docs`);
  assertEquals(response?.status(), 200);
  const summaries = page.locator(".opblock-summary-control");
  await summaries.nth(5).waitFor();
  const operations = (await summaries.allInnerTexts()).map((text) => text.split("\n").slice(0, 2));
  assertEquals(operations.map((words) => words.join(" ")).sort(), [
    "DELETE /users/{id}",
    "GET /users",
    "GET /users/search",
    "GET /users/{id}",
    "POST /users",
    "PUT /users/{id}",
  ]);
  assertEquals(await page.title(), "Users");
  await screenshot(page, "documentation_page", true);

  const post = page.locator(".opblock-post");
  await post.locator(".opblock-summary-control").click();
  await post.getByRole("button", { name: "Try it out" }).click();
  const body = post.locator("textarea");
  const example = { id: 0, name: "Ada", email: "user@example.com" };
  assertEquals(JSON.parse(await body.inputValue()), example);
  await body.fill('{ "name": "Grace Hopper", "email": "grace@example.com" }');
  await post.getByRole("button", { name: "Execute" }).click();
  const answer = post.locator(".live-responses-table .response");
  await answer.waitFor();
  assertEquals((await answer.locator(".response-col_status").innerText()).trim(), "201");
  const text = await answer.locator(".highlight-code pre, .highlight-code code").first()
    .innerText();
  assertEquals(JSON.parse(text), {
    success: true,
    data: { id: 3, name: "Grace Hopper", email: "grace@example.com" },
    message: "User created successfully",
  });
  await screenshot(page, "documentation_page_answer", true);

  assertEquals(complaints, []);
  const hosts = new Set(requests.map((request) => new URL(request).origin));
  assertEquals([...hosts], [url]);
  assert(requests.includes(`${url}/openapi.json`) && requests.includes(`${url}/users`));
}
