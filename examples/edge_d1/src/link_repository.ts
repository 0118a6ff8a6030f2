import { env } from "cloudflare:workers";
import { Component } from "irori";
import type { Link, NewLink } from "./link.ts";

/** Links in the D1 database of the binding `DB`. */
@Component()
export class LinkRepository {
  async list(limit: number): Promise<Link[]> {
    const select = "SELECT * FROM links ORDER BY slug LIMIT ?";
    return (await env.DB.prepare(select).bind(limit).all()).results;
  }

  /** @returns `null` if the slug is taken */
  async insert({ slug, url }: NewLink): Promise<Link | null> {
    const insert = "INSERT INTO links (slug, url) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING *";
    return await env.DB.prepare(insert).bind(slug, url).first();
  }

  async findUrl(slug: string): Promise<string | null> {
    return await env.DB.prepare("SELECT url FROM links WHERE slug = ?").bind(slug).first("url");
  }

  async countVisit(slug: string): Promise<void> {
    await env.DB.prepare("UPDATE links SET visits = visits + 1 WHERE slug = ?").bind(slug).run();
  }
}
