/** Whether a media type, perhaps with parameters, is that of event streams (WHATWG HTML, server-sent events). */
export function isEventStream(type: string | null): boolean {
  return type !== null && /^\s*text\/event-stream\s*(?:;|$)/i.test(type);
}

/** Whether a media type, perhaps with parameters, is one of XML (RFC 7303, 9.1 and 9.2). */
export function isXml(type: string): boolean {
  return /^[^/;]+\/(?:[^;]*\+)?xml\s*(?:;|$)/i.test(type);
}
