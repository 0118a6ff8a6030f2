import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Link, Ring } from "../../src/app/server/ring.ts";

class Member extends Link {
  constructor(readonly name: number) {
    super();
  }
}

Deno.test("Ring + has what a Set would have, in its order", () => {
  const step = fc.record({ isAdded: fc.boolean(), name: fc.nat(9) });
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const members = Array.from({ length: 10 }, (_, name) => new Member(name));
    const [ring, set] = [new Ring<Member>(), new Set<number>()];
    for (const { isAdded, name } of steps) {
      const member = members[name]!;
      if (isAdded === set.has(name)) continue;
      if (isAdded) {
        ring.add(member);
        set.add(name);
      } else {
        member.unlink();
        member.unlink();
        set.delete(name);
      }
      assertEquals([...ring].map(({ name }) => name), [...set]);
      assertEquals(ring.isEmpty, set.size === 0);
    }
  }));
});

Deno.test("Ring + gives all members of its beginning, whichever are taken out meanwhile", () => {
  const ring = new Ring<Member>();
  for (const name of [1, 2, 3]) ring.add(new Member(name));
  const seen: number[] = [];
  for (const member of ring) {
    for (const other of ring) other.unlink();
    seen.push(member.name);
  }
  assertEquals([seen, ring.isEmpty], [[1, 2, 3], true]);
});
