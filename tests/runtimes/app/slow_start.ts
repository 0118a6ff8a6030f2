/** An application whose start does not end, in the way that `WAITS_FOR` says; with `BESIDE` beside one that listens. */
import process from "node:process";
import {
  Bean,
  bootstrap,
  Component,
  Configuration,
  GetMapping,
  inject,
  PostConstruct,
  PreDestroy,
  RestController,
} from "@irori/irori";

const { WAITS_FOR = "", BESIDE, HANGS } = process.env;

/** Waits like a connection to a missing server. */
async function wait(what: string): Promise<void> {
  if (what !== WAITS_FOR) return;
  console.log("waiting");
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}

@Configuration()
class Connections {
  @Bean()
  first() {
    return { close: () => console.log("first is closed") };
  }

  @Bean()
  second() {
    inject("first");
    return {
      async close() {
        console.log("second is closed");
        if (HANGS) await new Promise((resolve) => setTimeout(resolve, 600_000));
      },
    };
  }

  @Bean()
  async third() {
    inject("second");
    await wait("a factory");
    return { close: () => console.log("third is closed") };
  }
}

@Component()
class Users {
  readonly third = inject("third");

  @PostConstruct()
  async open() {
    await wait("a method");
  }

  @PreDestroy()
  close() {
    console.log("users are closed");
  }
}

@RestController()
class Slow {
  @GetMapping("/slow")
  async slow() {
    console.log("slow is reached");
    await new Promise((resolve) => process.once("SIGTERM", resolve));
    // Long enough for the start beside it to be over.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "slow but finished";
  }

  @PreDestroy()
  close() {
    console.log("slow is closed");
  }
}

if (BESIDE) {
  const config = { server: { address: "127.0.0.1", port: 0 } };
  const app = await bootstrap({ components: [Slow], config });
  console.log(`url ${(await app.listen()).url}`);
  if (BESIDE === "later") await new Promise((resolve) => process.once("SIGTERM", resolve));
} else {
  console.log("url none");
}
await bootstrap({
  components: [Connections, Users],
  extensions: [() => wait("an extension").then(() => ({}))],
});
console.log("started");
