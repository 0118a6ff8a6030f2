import { decorate, GetMapping, RestController } from "../../../mod.ts";
import {
  current,
  PgTransactions,
  Transactional,
  transactional,
} from "../../../src/features/transactions/mod.ts";
import type { WebSocketAnswer } from "../../../src/features/websocket/mod.ts";
import pg from "pg";
import { assertCompiles } from "../../compiler.ts";

// Nothing of this is called: the test is that it compiles, and that the marked lines do not.

export function neverApplied() {
  return class Methods {
    @Transactional()
    async text(id: number, other?: string) {
      return await Promise.resolve(`${id} ${other}`);
    }

    @Transactional({ retry: 1 })
    private async generic<T>(value: T): Promise<T> {
      return await Promise.resolve(value);
    }

    @Transactional()
    response(): Promise<Response> {
      return Promise.resolve(new Response());
    }

    @Transactional()
    unknown(): Promise<unknown> {
      return this.generic(1);
    }

    // @ts-expect-error no promise
    @Transactional()
    now(): number {
      return 1;
    }

    // @ts-expect-error a generator
    @Transactional()
    async *pieces() {
      yield await Promise.resolve(1);
    }

    // @ts-expect-error a stream
    @Transactional()
    stream(): Promise<ReadableStream> {
      return Promise.resolve(new ReadableStream());
    }

    // @ts-expect-error a generator in a promise
    @Transactional()
    iterable(): Promise<AsyncIterable<number>> {
      return Promise.resolve(this.pieces());
    }

    // @ts-expect-error a WebSocket
    @Transactional()
    socket(): Promise<WebSocketAnswer> {
      return Promise.resolve({ kind: "websocket" });
    }

    // @ts-expect-error no such level
    @Transactional({ isolation: "snapshot" })
    snapshot(): Promise<void> {
      return Promise.resolve();
    }
  };
}

export class Controller {
  async get(): Promise<string> {
    return await Promise.resolve("");
  }

  now(): string {
    return "";
  }
}

export async function neverCalled(): Promise<string> {
  decorate({ Controller }, { get: [GetMapping("/"), Transactional()] }, RestController());
  // @ts-expect-error no promise
  decorate({ Controller }, { now: [GetMapping("/"), Transactional()] }, RestController());
  const database = new PgTransactions(new pg.Pool());
  // @ts-expect-error no manager
  await transactional({ retry: 1 }, () => 1);
  return await transactional({ manager: database }, async () => {
    const { rows } = await current(database).query<{ name: string }>("SELECT name FROM users");
    // @ts-expect-error no such column
    void rows[0]?.age;
    return rows[0]?.name ?? "";
  });
}

Deno.test("types of @Transactional + refuse streams and results that are not promises", () =>
  assertCompiles(import.meta.url));
