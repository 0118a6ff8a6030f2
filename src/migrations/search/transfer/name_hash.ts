/** FNV-1a of 64 bits, as 16 hexadecimal digits: tells names apart, and keeps nothing secret. */
export function nameHash(name: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of name) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
