import { connect, type Socket } from "node:net";

/** A connection, and what came by it. */
export class Talk {
  readonly #socket: Socket;
  readonly #closed: Promise<void>;
  #waiting: (() => void)[] = [];
  /** All that came so far. */
  answer = "";
  isClosed = false;

  constructor(url: string, text = "") {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.send(text);
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (data: string) => {
      this.answer += data;
      this.#wake();
    });
    this.#socket.on("error", () => {});
    this.#closed = new Promise((resolve) => {
      this.#socket.on("close", () => {
        this.isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  send(data: string | Uint8Array, encoding: "utf8" | "latin1" = "utf8"): void {
    if (typeof data === "string") this.#socket.write(data, encoding);
    else this.#socket.write(data);
  }

  /** Closes its own side; what comes is still read. */
  finish(): void {
    this.#socket.end();
  }

  /** Sends so many bytes as fast as they are taken, unless the connection ends before. */
  async pour(size: number): Promise<void> {
    const chunk = new Uint8Array(65_536);
    for (let sent = 0; sent < size && !this.isClosed; sent += chunk.length) {
      if (this.#socket.write(chunk.subarray(0, size - sent))) continue;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        this.#socket.once("drain", resolve);
      });
    }
  }

  /** Waits until something has come. @throws {Error} when the connection ends before */
  async until(text: string): Promise<void> {
    while (!this.answer.includes(text)) {
      if (this.isClosed) throw new Error(`Ended before '${text}': ${this.answer}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** All that came until the other side closed the connection. */
  async ended(): Promise<string> {
    await this.#closed;
    return this.answer;
  }

  /** Reads nothing until {@linkcode resume} is called. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Breaks off. */
  leave(): void {
    this.#socket.destroy();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** A request without a body. */
export function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

/** The head of a request with a body. */
export function post(path: string, length: number, type?: string): string {
  const fields = [
    `Content-Length: ${length}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join("\r\n")}\r\n\r\n`;
}
