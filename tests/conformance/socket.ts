/**
 * Opens WebSockets of the conformance application, and gives everything that is not as it has to be.
 *
 * @param base URL of the application
 */
export async function socketConformance(base: string): Promise<readonly string[]> {
  const failures: string[] = [];
  const check = (what: string, found: string, expected: string) => {
    if (found !== expected) failures.push(`${what}: expected '${expected}', found '${found}'`);
  };
  const url = `${base.replace("http", "ws")}/socket`;
  check("message", (await exchange(url, "once"))[0], "true false once");
  for (
    const code of [...SENT, 0, 1005, 999, 1004, 1006, 1010, 1014, 1015, 1016, 2999, 5000, 1000.5]
  ) {
    const [answer, closed] = await exchange(url, `close ${code} 123`);
    if (SENT.includes(code)) check("close code", closed, `${code} ${"x".repeat(123)}`);
    else check(`close(${code})`, answer, `RangeError ${CODE}, found '${code}'`);
  }
  const [answer] = await exchange(url, "close 1000 124");
  check("close(1000, reason)", answer, `RangeError ${REASON}, found 124`);
  const [text] = await exchange(url, "close as text");
  check('close("1000")', text, `RangeError ${CODE}, found the text '1000'`);
  const [other] = await exchange(url, "close 1000 62 é");
  check("close(1000, reason)", other, `RangeError ${REASON}, found 124`);
  return failures;
}

/** Codes that servers may close with. */
const SENT: readonly number[] = [
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1011, 1012, 1013, 3000, 4999],
];
const CODE =
  "Cannot close the WebSocket: expected a code of RFC 6455, 7.4, that servers may send " +
  "(1000 to 1003, 1007 to 1009, 1011 to 1013, 3000 to 4999)";
const REASON = "Cannot close the WebSocket: expected a reason of at most 123 bytes in UTF-8";

/** @returns the first message that comes back, and what the socket is closed with */
async function exchange(url: string, text: string): Promise<[answer: string, closed: string]> {
  const socket = new WebSocket(url);
  let answer = "";
  socket.onopen = () => socket.send(text);
  socket.onmessage = ({ data }) => {
    answer = data;
    socket.close();
  };
  const closed = await new Promise<string>((resolve) => {
    // Followed by its close.
    socket.onerror = () => {};
    socket.onclose = ({ code, reason }) => resolve(`${code} ${reason}`);
  });
  return [answer, closed];
}
