import { assertEquals } from "@std/assert";
import * as z from "zod";
import {
  bootstrap,
  GetMapping,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "../../mod.ts";

const strict = z.string().superRefine((text, context) => {
  for (let count = 0; count < 1000; count++) context.addIssue(`${text} is wrong`);
});

@RestController()
class Controller {
  @GetMapping("/value", RequestParam("text", strict))
  value() {}

  @PostMapping("/many", RequestBody(z.array(z.object({ name: z.string(), age: z.number() }))))
  many() {}

  @PostMapping("/keys", RequestBody(z.record(z.string(), z.array(z.number()))))
  keys() {}
}

Deno.test("RequestBody() + tells the first hundred things that are wrong, clipped, and how many there are", async () => {
  await using app = await bootstrap({ components: [Controller] });
  const post = async (path: string, value: unknown) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify(value);
    const response = await app.request(path, { method: "POST", headers, body });
    assertEquals(response.status, 400);
    const text = await response.text();
    return { size: text.length, errors: JSON.parse(text).errors };
  };
  const many = await post("/many", Array(1000).fill({}));
  assertEquals(many.errors.length, 101);
  assertEquals(many.errors[1], {
    pointer: "/0/age",
    message: "Invalid input: expected number, received undefined",
  });
  assertEquals(many.errors[100], { message: "1900 more are not listed" });
  // Each of them would repeat the key.
  const keys = await post("/keys", { ["k".repeat(10_000)]: Array(1000).fill("") });
  assertEquals(keys.errors[0].pointer, `/${"k".repeat(299)}…`);
  assertEquals(keys.size < 60_000, true);
});

Deno.test("RequestParam() + tells the first hundred things that a schema refuses, too", async () => {
  await using app = await bootstrap({ components: [Controller] });
  const { detail, errors } = await (await app.request("/value?text=a")).json();
  assertEquals(errors.length, 101);
  assertEquals(errors[0], { parameter: "text", message: "a is wrong" });
  assertEquals(errors[100], { message: "900 more are not listed" });
  assertEquals(detail.length < 2000, true);
});
