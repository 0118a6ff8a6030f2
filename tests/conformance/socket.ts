/** What a WebSocket of the conformance application, at `base`, answers to a text; throws where it cannot be opened. */
export async function socketConformance(base: string, text: string): Promise<unknown> {
  const socket = new WebSocket(`${base.replace("http", "ws")}/socket`);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  try {
    return await new Promise((resolve, reject) => {
      socket.onerror = () => reject(new Error("The WebSocket failed"));
      socket.onopen = () => socket.send(text);
      socket.onmessage = ({ data }) => resolve(data);
    });
  } finally {
    socket.close();
    await closed;
  }
}
