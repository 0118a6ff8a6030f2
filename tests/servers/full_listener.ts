import { spawn } from "node:child_process";

/** A port of 127.0.0.1 on which nothing is accepted and no connection is refused: attempts to connect hang. */
export interface FullListener extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly url: string;
}

/** Starts one: its queue of connections is full. Python, because JavaScript runtimes always accept. */
export async function startFullListener(): Promise<FullListener> {
  const child = spawn("python3", ["-c", SCRIPT], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()));
    child.once("error", reject);
    ended.then(() => reject(new Error("The listener ended")));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const SCRIPT = `
import select, socket, threading
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(0)
waiting = []
while True:
    attempt = socket.socket()
    attempt.setblocking(False)
    attempt.connect_ex(listener.getsockname())
    waiting.append(attempt)
    if not select.select([], [attempt], [], 0.2)[1]:
        break
print(listener.getsockname()[1], flush=True)
threading.Event().wait(60)
`;
