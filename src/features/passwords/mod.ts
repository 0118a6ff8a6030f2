/**
 * Hashes of passwords by Argon2id or PBKDF2, without dependencies.
 *
 * @example Registration and login
 * ```ts
 * import { hashPassword, needsRehash, verifyPassword } from "@irori/irori/passwords";
 *
 * const hash = await hashPassword("correct horse battery staple");
 * console.log(await verifyPassword("correct horse battery staple", hash)); // true
 * console.log(await verifyPassword("Tr0ub4dor&3", hash)); // false
 * console.log(needsRehash(hash)); // false
 * ```
 *
 * @module
 */
export { hashPassword, needsRehash, type PasswordOptions, verifyPassword } from "./passwords.ts";
