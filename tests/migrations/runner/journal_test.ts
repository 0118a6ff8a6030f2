import { journalCases, type JournalFixture } from "../../contracts/journal.ts";
import { MemoryServer, memoryTarget } from "./memory.ts";

for (const { name, run } of journalCases) {
  Deno.test(`a journal ${name} (memory)`, async () => {
    await using fixture = memoryFixture();
    await run(fixture);
  });
}

function memoryFixture(): JournalFixture {
  const servers = { this: new MemoryServer(), other: new MemoryServer() };
  const { effects } = servers.this;
  return {
    extension: ".txt",
    target(owner, { lockTimeoutMs = 5000, other = false } = {}) {
      return memoryTarget(other ? servers.other : servers.this, { owner, lockTimeoutMs });
    },
    kill: (session) => session.close(),
    files: {
      safe: (thing) => `safe ${thing}`,
      once: (thing) => `once ${thing}`,
      refused: "refused",
    },
    count: (thing) => Promise.resolve(effects.filter((text) => text.endsWith(` ${thing}`)).length),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
