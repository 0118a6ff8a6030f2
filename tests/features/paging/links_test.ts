import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { linkHeader, relatedPages } from "../../../src/features/paging/links.ts";
import { Page, Slice } from "../../../src/features/paging/mod.ts";

/** A reader of `Link` (RFC 8288, 3 and appendix B.2), as clients have one. */
function parseLinks(header: string): Map<string, string> {
  const links = new Map<string, string>();
  let rest = header;
  while (rest !== "") {
    const [whole, target = "", relation = ""] =
      /^\s*<([^>]*)>\s*;\s*rel="([^"]*)"\s*(?:,|$)/.exec(rest) ?? [];
    assert(whole, `no link at '${rest}'`);
    links.set(relation, target);
    rest = rest.slice(whole.length);
  }
  return links;
}

const parameters = fc.array(
  fc.tuple(
    fc.string({ unit: "binary", maxLength: 5 }),
    fc.string({ unit: "binary", maxLength: 5 }),
  ),
  { maxLength: 4 },
);
const asked1 = { page: 1, size: 1 };
const asked = fc.record({
  page: fc.integer({ min: 1, max: 1000 }),
  size: fc.integer({ min: 1, max: 50 }),
});

Deno.test("linkHeader() + what is printed is read again: the page is another, all else stays", () => {
  fc.assert(fc.property(parameters, asked, fc.nat(20_000), (pairs, pageable, total) => {
    const kept = pairs.filter(([name]) => name !== "page");
    const url = new URL("http://localhost/a/b");
    for (const [name, value] of pairs) url.searchParams.append(name, value);
    const { page } = new Page([], pageable, total);
    const header = linkHeader(url.href, page);
    assert(header !== undefined && /^[\x21-\x7e ]*$/.test(header));
    const links = parseLinks(header);
    const pages = relatedPages(page);
    assertEquals([...links.keys()], [...pages.keys()]);
    for (const [relation, number] of pages) {
      const target = new URL(links.get(relation)!, "https://proxy.example/other/path?page=7#x");
      assertEquals(target.pathname, "/other/path");
      assertEquals([...target.searchParams], [...new URLSearchParams(kept), ["page", `${number}`]]);
    }
  }));
});

/** The query of a reference (RFC 3986, 3.4), with the '?' before it. */
const REFERENCE = /^\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;

Deno.test("linkHeader() + what no reference may hold is encoded, and means the same", () => {
  for (const query of ["a[]=1", "a|b=^`{}", "a=\\", "a=%", "a=%5", "a=%zz", "é=😀", "a='\"<>"]) {
    const url = `http://localhost/?${query}`;
    const target = parseLinks(linkHeader(url, new Slice([], asked1, false).page)!).get("first")!;
    assert(REFERENCE.test(target), target);
    const params = new URL(target, "http://localhost/").searchParams;
    assertEquals([...params], [...new URL(url).searchParams, ["page", "1"]]);
  }
});

Deno.test("linkHeader() + leads to no page that would be refused", () => {
  const of = (page: number, hasNext: boolean) =>
    parseLinks(
      linkHeader("http://localhost/", new Slice([], { page, size: 1 }, hasNext).page, 7)!,
    ).get("next");
  assertEquals([of(6, true), of(7, true)], ["?page=7", undefined]);
  const counted = new Page([], { page: 2, size: 1 }, 9).page;
  const relations = [...parseLinks(linkHeader("http://localhost/", counted, 7)!).keys()];
  assertEquals(relations, ["first", "prev", "next"]);
});

Deno.test("linkHeader() + no query, however it is sent, ends a link", () => {
  fc.assert(fc.property(fc.string({ unit: "binary-ascii", maxLength: 40 }), (query) => {
    const page = new Slice([], { page: 2, size: 1 }, true).page;
    const header = linkHeader(`http://localhost/?${query.replaceAll("#", "")}`, page);
    assert(header !== undefined);
    const links = parseLinks(header);
    assertEquals([...links.keys()], ["first", "prev", "next"]);
    for (const target of links.values()) assert(REFERENCE.test(target), target);
  }));
});

Deno.test("linkHeader() + a query that is not parsed is one that a parser leaves as it is", () => {
  const plain = fc.string({
    unit: fc.constantFrom(..."aZ09_.~!$()*+,:;=@/?&-", "%5B", "%25", "%2f"),
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(fc.property(plain, (query) => {
    const url = `http://localhost/?${query}`;
    assertEquals(new URL(url).search.slice(1), query);
    const header = linkHeader(url, new Page([], { page: 1, size: 1 }, 0).page) ?? "";
    const kept = query.split("&").filter((pair) =>
      pair !== "" && !new URLSearchParams(pair).has("page")
    );
    assertEquals(parseLinks(header).get("first"), `?${[...kept, "page=1"].join("&")}`);
  }));
});

Deno.test("linkHeader() + is none where it would be longer than readers allow", () => {
  const { page } = new Page([], { page: 1, size: 1 }, 1);
  const of = (length: number) => linkHeader(`http://localhost/?q=${"a".repeat(length)}`, page);
  assertEquals(of(1400)?.length, 2851);
  assertEquals(of(1500), undefined);
});

Deno.test("relatedPages() + following next visits every element once, and prev leads back", () => {
  fc.assert(fc.property(fc.nat(300), fc.integer({ min: 1, max: 40 }), (total, size) => {
    const all = Array.from({ length: total }, (_, index) => index);
    const of = (page: number) => {
      const offset = (page - 1) * size;
      return new Page(all.slice(offset, offset + size), { page, size }, total);
    };
    const seen: number[] = [];
    let number: number | undefined = 1;
    let last = 1;
    while (number !== undefined) {
      const { content, page } = of(number);
      seen.push(...content);
      const related = relatedPages(page);
      assertEquals(related.get("first"), 1);
      assertEquals(related.get("prev"), number === 1 ? undefined : number - 1);
      last = number;
      number = related.get("next");
    }
    assertEquals(seen, all);
    assertEquals(relatedPages(of(1).page).get("last"), last);
  }));
});

Deno.test("relatedPages() + beyond the last page leads to pages that there are", () => {
  fc.assert(fc.property(asked, fc.nat(2000), (pageable, total) => {
    const { page } = new Page([], pageable, total);
    const last = Math.max(1, page.totalPages);
    for (const [relation, number] of relatedPages(page)) {
      assert(number >= 1 && number <= last, `${relation} ${number}`);
      if (relation === "next") assert(number === pageable.page + 1);
      if (relation === "prev") assert(number < pageable.page);
    }
  }));
});
