import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import {
  hashPassword,
  needsRehash,
  type PasswordOptions,
  verifyPassword,
} from "../../../src/features/passwords/mod.ts";
import { HttpError } from "../../../mod.ts";
import { depth } from "../../long/mod.ts";
import { VECTORS } from "./vectors.ts";

/** Fast ones. */
const ARGON2ID: PasswordOptions = { algorithm: "argon2id", memory: 8, passes: 1 };
const PBKDF2: PasswordOptions = { algorithm: "pbkdf2-sha256", iterations: 1 };

Deno.test("hashPassword() + writes a PHC string with OWASP's parameters and a new salt", async () => {
  const argon2id = await hashPassword("password");
  assertMatch(argon2id, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assertNotEquals(await hashPassword("password"), argon2id);
  const pbkdf2 = await hashPassword("password", { algorithm: "pbkdf2-sha256" });
  assertMatch(pbkdf2, /^\$pbkdf2-sha256\$i=600000,l=32\$[\w+/]{22}\$[\w+/]{43}$/);
  for (const hash of [argon2id, pbkdf2]) {
    assertEquals(await verifyPassword("password", hash), true);
    assertEquals(await verifyPassword("Password", hash), false);
  }
});

Deno.test("verifyPassword() + knows what other software has hashed", async () => {
  for (const [hash, password] of VECTORS) {
    assertEquals([hash, await verifyPassword(password, hash)], [hash, true]);
    assertEquals([hash, await verifyPassword(`${password}x`, hash)], [hash, false]);
  }
});

Deno.test("verifyPassword() + is true for the password itself and nothing else", async () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 100 })
    .filter((text) => text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(text, text, fc.boolean(), async (password, other, isArgon2id) => {
      const options = isArgon2id ? ARGON2ID : PBKDF2;
      const hash = await hashPassword(password, options);
      assertEquals(needsRehash(hash, options), false);
      assertEquals(await verifyPassword(password, hash), true);
      const isSame = password.normalize("NFKC") === other.normalize("NFKC");
      assertEquals(await verifyPassword(other, hash), isSame);
    }),
    { numRuns: depth(100, 1000) },
  );
});

Deno.test("verifyPassword() + does not depend on how a keyboard composes characters", async () => {
  for (const options of [ARGON2ID, PBKDF2]) {
    const hash = await hashPassword("Zo\u00eb \ufb01\u2460", options);
    assertEquals(await verifyPassword("Zoe\u0308 fi1", hash), true);
    assertEquals(await verifyPassword("zo\u00eb fi1", hash), false);
    assertEquals(await verifyPassword(" Zo\u00eb fi1", hash), false);
  }
});

Deno.test("hashPassword() + takes 1 to 1024 characters, of which every one counts", async () => {
  for (const options of [ARGON2ID, PBKDF2]) {
    const longest = "a".repeat(1024);
    const hash = await hashPassword(longest, options);
    assertEquals(await verifyPassword(longest, hash), true);
    for (const other of [longest.slice(1), `${longest.slice(1)}b`, `${longest}a`, "", "\0"]) {
      assertEquals(await verifyPassword(other, hash), false);
    }
    for (const password of ["", `${longest}a`]) {
      const { message } = await assertRejects(() => hashPassword(password, options), RangeError);
      assertEquals(message, "Cannot hash a password: expected 1 to 1024 characters");
    }
    const terminated = await hashPassword("a\0b", options);
    assertEquals(await verifyPassword("a\0c", terminated), false);
  }
});

Deno.test("verifyPassword() + is false for an unknown user, after the same work", async () => {
  for (const hash of [undefined, null]) {
    assertEquals(await verifyPassword("password", hash, ARGON2ID), false);
    assertEquals(await verifyPassword("", hash, PBKDF2), false);
  }
  const options: PasswordOptions = { algorithm: "pbkdf2-sha256", iterations: 300_000 };
  const known = await hashPassword("password", options);
  const times: number[] = [];
  for (const hash of [known, undefined]) {
    const start = performance.now();
    await verifyPassword("wrong", hash, options);
    times.push(performance.now() - start);
  }
  const [ofKnown = 0, ofUnknown = 0] = times;
  assert(ofUnknown > ofKnown / 4, `${times}`);
});

Deno.test("verifyPassword() + refuses other formats, and shows nothing but their names", async () => {
  const salt = "A".repeat(22);
  const tag = "B".repeat(43);
  const prefix =
    "Cannot use a password: expected a hash in the form '$argon2id$v=19$m=…,t=…,p=…$…$…' or " +
    "'$pbkdf2-sha256$i=…,l=…$…$…', found ";
  const hashes: Readonly<Record<string, string>> = {
    "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW": "'$2b$…'",
    [`$argon2i$v=19$m=8,t=1,p=1$${salt}$${tag}`]: "'$argon2i$…'",
    [`$argon2id$v=16$m=8,t=1,p=1$${salt}$${tag}`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=99999999,t=1,p=1$${salt}$${tag}`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=8,t=1,p=0$${salt}$${tag}`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=8,t=1,p=1$${salt}$`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}\n`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=8,t=1,p=1$${salt}=$${tag}`]: "'$argon2id$…'",
    [`$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}BB`]: "'$argon2id$…'",
    [`$pbkdf2-sha256$i=999999999,l=32$${salt}$${tag}`]: "'$pbkdf2-sha256$…'",
    [`$pbkdf2-sha256$29000$${salt}$${tag}`]: "'$pbkdf2-sha256$…'",
    "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD":
      "'$scrypt$…'",
    "5f4dcc3b5aa765d61d8327deb882cf99": "another format",
    "a password in plain text": "another format",
    "": "another format",
    "$": "another format",
  };
  for (const [hash, found] of Object.entries(hashes)) {
    const { message } = await assertRejects(() => verifyPassword("password", hash), TypeError);
    assertEquals(message, prefix + found);
    assertEquals(needsRehash(hash), true);
  }
});

Deno.test("verifyPassword() + refuses hashes that take minutes", async () => {
  const end = `${"A".repeat(22)}$${"B".repeat(43)}`;
  const prefixes = ["$argon2id$v=19$m=2097152,t=20,p=1$", "$pbkdf2-sha256$i=99999999,l=32$"];
  for (const prefix of prefixes) {
    await assertRejects(() => verifyPassword("a", prefix + end), TypeError, "takes too long");
  }
  const options = { algorithm: "argon2id", memory: 9_999_999 } as const;
  await assertRejects(() => hashPassword("a", options), TypeError, "takes too long");
});

Deno.test("needsRehash() + is true for another algorithm or other parameters", async () => {
  const hash = await hashPassword("password", ARGON2ID);
  assertEquals(needsRehash(hash, ARGON2ID), false);
  assertEquals(needsRehash(hash, { ...ARGON2ID, memory: 9 }), true);
  assertEquals(needsRehash(hash, { ...ARGON2ID, memory: 80 }), true);
  assertEquals(needsRehash(hash, { ...ARGON2ID, passes: 2 }), true);
  assertEquals(needsRehash(hash, PBKDF2), true);
  assertEquals(needsRehash(hash), true);
  const other = await hashPassword("password", PBKDF2);
  assertEquals(needsRehash(other, PBKDF2), false);
  assertEquals(needsRehash(other, { ...PBKDF2, iterations: 10 }), true);
  assertEquals(needsRehash(other), true);
});

Deno.test("hashPassword() + refuses options that could not be meant", async () => {
  const numbers =
    "expected whole numbers: 'memory' below 10000000, 'passes' below 1000, 'iterations' below 100000000";
  const cases: readonly (readonly [unknown, string])[] = [
    [{ memory: 0 }, numbers],
    [{ memory: 1e7 }, numbers],
    [{ memory: 8.5 }, numbers],
    [{ memory: NaN }, numbers],
    [{ passes: "2,p=1$" }, numbers],
    [{ iterations: -1 }, numbers],
    [{ iterations: Infinity }, numbers],
    [
      { algorithm: "bcrypt" },
      "expected the algorithm 'argon2id' or 'pbkdf2-sha256', found 'bcrypt'",
    ],
    [{ itterations: 1 }, "Unknown option 'itterations': did you mean 'iterations'?"],
  ];
  for (const [options, reason] of cases) {
    const given = options as PasswordOptions;
    const { message } = await assertRejects(() => hashPassword("password", given), TypeError);
    assertEquals(message, `Cannot use a password: ${reason}`);
    assertThrows(() => needsRehash("", given), TypeError, reason);
  }
});

Deno.test("verifyPassword() + leaves time for other work, and refuses what would wait too long", async () => {
  const hash = await hashPassword("password", { memory: 1024 });
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const all = await Promise.allSettled(
    Array.from({ length: 150 }, () => verifyPassword("password", hash)),
  );
  clearInterval(timer);
  const refused = all.flatMap((one) => one.status === "rejected" ? [one.reason] : []);
  const slots = Math.min(Math.max(navigator.hardwareConcurrency - 1, 1), 3);
  assertEquals([all.length - refused.length, refused.length], [100 + slots, 50 - slots]);
  const [first] = refused;
  assert(first instanceof HttpError);
  assertEquals([first.status.value, first.headers["Retry-After"]], [503, "1"]);
  assert(ticks > 10, `${ticks}`);
  // Failures give their places back.
  const broken = Array.from({ length: 20 }, () => {
    return assertRejects(() => verifyPassword("password", hash.replace("m=1024", "m=1")));
  });
  await Promise.all(broken);
  assertEquals(await verifyPassword("password", hash), true);
});
