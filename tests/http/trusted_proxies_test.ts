import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseAddress, parseAddresses } from "../../src/http/trusted_proxies.ts";

const has = (blocks: string[], text: string) => {
  const address = parseAddress(text);
  return address !== undefined && parseAddresses(blocks)(address);
};

Deno.test("parseAddress() + reads every way to write an address, and writes it the shortest", () => {
  const cases: readonly (readonly [text: string, short: string | undefined])[] = [
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["::", "::"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::FFFF:a00:1", "10.0.0.1"],
    ...[
      "",
      "1.2.3",
      "1.2.3.256",
      "01.2.3.4",
      "1.2.3.4:80",
      "[::1]",
      "1::2::3",
      ":",
      "g::",
      "::1%eth0",
      "localhost",
      "/",
    ]
      .map((text) => [text, undefined] as const),
  ];
  for (const [text, short] of cases) assertEquals(parseAddress(text)?.text, short, text);
});

Deno.test("parseAddress() + throws for no text", () => {
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.stringMatching(/^[\da-f:.]{0,20}$/), fc.ipV4(), fc.ipV6()),
    (text) => {
      const address = parseAddress(text);
      if (address) assertEquals(parseAddress(address.text), address);
    },
  ));
  fc.assert(fc.property(fc.ipV4(), (text) => assertEquals(parseAddress(text)?.text, text)));
  fc.assert(
    fc.property(fc.ipV6(), (text) => assertEquals(parseAddress(text) === undefined, false)),
  );
});

Deno.test("parseAddresses() + has what is in a block, and nothing beside it", () => {
  const blocks = ["10.0.0.0/8", "192.168.1.1", "fd00::/8", "::1"];
  const inside = ["10.0.0.0", "10.255.255.255", "192.168.1.1", "fd12::1", "::1", "::ffff:10.1.1.1"];
  const outside = ["11.0.0.0", "9.255.255.255", "192.168.1.2", "fe00::", "::2", "0.0.0.1"];
  for (const text of inside) assertEquals(has(blocks, text), true, text);
  for (const text of outside) assertEquals(has(blocks, text), false, text);
  assertEquals(has(["0.0.0.0/0"], "1.2.3.4"), true);
  assertEquals(has(["0.0.0.0/0"], "::2"), false);
});

Deno.test("parseAddresses() + names what is no address", () => {
  for (const text of ["10.0.0.0/33", "::/129", "proxy", "10.0.0.0/", "10.0.0.0/8/8", ""]) {
    assertThrows(() => parseAddresses([text]), RangeError, `found '${text}'`);
  }
});
