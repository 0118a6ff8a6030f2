import { assertEquals } from "@std/assert";
import {
  FormParam,
  GetMapping,
  PostMapping,
  RequestBody,
  RequestParam,
  RequestPart,
  RestController,
} from "../../mod.ts";
import fc from "fast-check";
import { z } from "zod";
import { appOf } from "./helpers.ts";

@RestController()
class Forms {
  @PostMapping("/whole", FormParam(z.record(z.string(), z.unknown())))
  whole(form: Record<string, unknown>) {
    return Object.keys(form).length;
  }

  @PostMapping("/fields", FormParam(z.record(z.string(), z.unknown()), { required: false }))
  fields(form: Record<string, unknown> | undefined) {
    return form ?? {};
  }

  @PostMapping("/part", RequestPart("a"))
  part(file: File) {
    return file.name;
  }

  @PostMapping("/number", FormParam("a", "number"))
  number(value: number) {
    return value;
  }

  @GetMapping("/query", RequestParam("z", { required: false }))
  query(value: string | undefined) {
    return value ?? null;
  }

  @PostMapping("/json", RequestBody())
  json(value: unknown) {
    return JSON.stringify(value).length;
  }
}

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

// These end at all: each took minutes, or hours, when work grew with the square of the bytes.
Deno.test("forms + of 1,000 fields are taken, of more refused, however many", async () => {
  await using app = await appOf([Forms]);
  const statuses = await Promise.all([1000, 1001, 100_000].map(async (count) => {
    const body = Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
    return (await app.request("/whole", { method: "POST", body, headers: FORM })).status;
  }));
  assertEquals(statuses, [200, 400, 400]);
});

Deno.test("forms + of 100,000 parts are refused before they are parsed", async () => {
  await using app = await appOf([Forms], { config: { server: { "max-body-size": 10_000_000 } } });
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const body = `${part.repeat(100_000)}--b--\r\n`;
  assertEquals((await app.request("/part", { method: "POST", body, headers })).status, 400);
});

Deno.test("forms + are not limited by what a file holds", async () => {
  await using app = await appOf([Forms]);
  const form = new FormData();
  form.append("a", new File(["\n--".repeat(10_000)], "a.txt"));
  const response = await app.request("/part", { method: "POST", body: form });
  assertEquals([response.status, await response.text()], [200, "a.txt"]);
});

Deno.test("server.max-form-fields + is how many fields a form may have", async () => {
  await using app = await appOf([Forms], { config: { server: { "max-form-fields": 2 } } });
  const send = async (body: string) =>
    (await app.request("/whole", { method: "POST", body, headers: FORM })).status;
  assertEquals(await Promise.all(["a=1&b=2", "a=1&b=2&c=3"].map(send)), [200, 400]);
});

Deno.test("values + are converted in a time that grows with their length", async () => {
  await using app = await appOf([Forms]);
  const body = `a=${"1".repeat(1_000_000)}x`;
  assertEquals((await app.request("/number", { method: "POST", body, headers: FORM })).status, 400);
  assertEquals((await app.request(`/query?${"a&".repeat(500_000)}z=1`)).status, 200);
});

Deno.test("forms + are read as they were written, urlencoded and multipart", async () => {
  await using app = await appOf([Forms]);
  // Line breaks in multipart, and names that are no words, are the runtimes' matter: Deno's parser loses `= `.
  const text = fc.string({ unit: "grapheme", maxLength: 8 });
  const name = fc.oneof(fc.stringMatching(/^[a-z]{1,2}$/), fc.stringMatching(/^[a-z?&=+ -]{1,6}$/));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 20 }), async (pairs) => {
      const expected: Record<string, unknown> = {};
      for (const [name] of pairs) {
        const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
        expected[name] = values.length === 1 ? values[0] : values;
      }
      const urlencoded = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
      const first = await app.request("/fields", { method: "POST", body: urlencoded });
      assertEquals(await first.json(), expected);
      const multipart = new FormData();
      for (const [name, value] of pairs) multipart.append(name, value);
      const isSimple = pairs.every(([name, value]) => /^\w+$/.test(name) && !/[\r\n]/.test(value));
      if (pairs.length === 0 || !isSimple) return;
      const second = await app.request("/fields", { method: "POST", body: multipart });
      assertEquals(await second.json(), expected);
    }),
    { numRuns: 50 },
  );
});
