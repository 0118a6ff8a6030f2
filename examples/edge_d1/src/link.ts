import { Model } from "irori";
import * as z from "zod";

const slug = z.string().regex(/^[a-z0-9-]{1,40}$/);
const url = z.url({ protocol: /^https?$/ });

/** What a client sends. */
export class NewLink extends Model(z.object({ slug, url })) {}

/** As stored. */
export class Link extends Model(z.object({ slug, url, visits: z.int() })) {}
