import { Model } from "irori";
import * as z from "zod";

// A link is at '/' and its slug, and '/links' is the list.
const slug = z.string().regex(/^(?!links$)[a-z0-9-]{1,40}$/);
// Normalized to characters that a header can hold.
const url = z.url({ protocol: /^https?$/, normalize: true }).max(2000);

/** The body of a request. */
export class NewLink extends Model(z.object({ slug, url })) {}

/** As stored. */
export class Link extends Model(z.object({ slug, url, visits: z.int() })) {}
