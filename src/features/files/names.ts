import { plainFileName } from "../../web/mod.ts";

/** Names that Windows opens as devices in every folder, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|con(?:in|out)\$) *(?:\.|$)/i;

/**
 * Whether a file or folder of this name may be served: no dot file, no dot segment, nothing that any system reads as
 * another name, a device or a path. The same on every system, so that tests find what production refuses.
 */
export function isServedName(name: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  return !/^$|^\.|[\0-\x1f\x7f\\/:]|[. ]$/.test(name) && !DEVICE.test(name);
}

/** `Content-Disposition` (RFC 6266): an ASCII name and, if another one, that of RFC 8187, without folders. */
export function contentDisposition(name: string): string {
  const plain = plainFileName(name).toWellFormed();
  // Some clients decode percent signs.
  const ascii = plain.replace(/[^ -~]|["%]/gu, "_");
  const disposition = `attachment; filename="${ascii}"`;
  if (ascii === plain) return disposition;
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `${disposition}; filename*=UTF-8''${encoded}`;
}
