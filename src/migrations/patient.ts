import { ConnectionError, type Session, type Target } from "./runner/mod.ts";

const PAUSE_MS = 500;

/**
 * A target that waits for its server to come up: until it answers, or the time is over. One that answers and refuses
 * who asks is not waited for.
 *
 * @param onNotice told once, when there is something to wait for
 */
export function patient(
  target: Target,
  waitMs: number,
  onNotice: (message: string) => void,
): Target {
  const open = async (): Promise<Session> => {
    const deadline = Date.now() + waitMs;
    for (let attempt = 1;; attempt++) {
      let session: Session | undefined;
      try {
        session = await target.open();
        await session.read([]);
        return session;
      } catch (error) {
        await session?.close();
        const hopeless = !(error instanceof ConnectionError) || error.refused;
        if (hopeless || Date.now() + PAUSE_MS > deadline) throw error;
        if (attempt === 1) onNotice(`Waiting up to ${waitMs / 1000} s: ${error.message}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  };
  return { ...target, open };
}
